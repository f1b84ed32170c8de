import { Menu, Tray, nativeImage } from 'electron';
import type { NativeImage } from 'electron';
import { trayImages } from './tray-images.ts';
import { trayTemplate, trayToolTip } from './tray-template.ts';
import type { TrayActions, TrayState } from './tray-template.ts';

/** The program's icon in the tray, the notification area or the menu bar. */
export class ProgramTray {
  readonly #actions: TrayActions;
  readonly #tray: Tray;

  constructor(state: TrayState, actions: TrayActions) {
    this.#actions = actions;
    this.#tray = new Tray(imageOf(state));
    // Where a click comes: macOS shows the menu instead, and some desktops on Linux do.
    this.#tray.on('click', () => process.platform !== 'darwin' && actions.open());
    this.show(state);
  }

  show(state: TrayState): void {
    this.#tray.setImage(imageOf(state));
    this.#tray.setToolTip(trayToolTip(state));
    // Linux takes a change of an item only with its menu.
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, this.#actions)));
  }

  remove(): void {
    this.#tray.destroy();
  }
}

/** macOS draws a template in the colour of its menu bar, so that it tells the states apart by shape alone. */
function imageOf({ needing, isPaused }: TrayState): NativeImage {
  const isMac = process.platform === 'darwin';
  const kind = isMac ? 'template' : 'colour';
  const image = nativeImage.createEmpty();
  for (const [scale, png] of trayImages[kind][needing.length > 0 || isPaused ? 'needs' : 'fine'].entries())
    image.addRepresentation({ scaleFactor: scale + 1, buffer: Buffer.from(png, 'base64') });
  if (isMac) image.setTemplateImage(true);
  return image;
}

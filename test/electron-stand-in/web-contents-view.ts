import type * as Electron from 'electron';
import { readWebPreferences } from './contents-options.ts';
import { notEmulated } from './not-emulated.ts';
import { StandInView } from './view.ts';
import { StandInWebContents } from './web-contents.ts';
import { placeWindow } from './window-place.ts';

/** Lower than this, no window of Chromium can be: a bar is loaded, but in no window. */
const barHeight = 120;

/** A page inside a window: here, a window of Chromium over it. */
export class StandInWebContentsView extends StandInView implements Pick<Electron.WebContentsView, 'getBounds'> {
  readonly webContents: StandInWebContents;

  constructor(options: Electron.WebContentsViewConstructorOptions = {}) {
    super();
    if (options.webContents) notEmulated('WebContentsView with given web contents');
    const place = (): Electron.Rectangle => this.#place();
    this.webContents = new StandInWebContents(
      readWebPreferences(options.webPreferences ?? {}, {
        bounds: place,
        hidden: () => this.getBounds().height <= barHeight,
        backgroundColor: undefined,
      }),
    );
    this.standIn.contents = () => [this.webContents];
    this.on('bounds-changed', () => {
      void this.webContents.standIn.page.then((page) => placeWindow(page, place())).catch(() => {});
    });
  }

  #place(): Electron.Rectangle {
    const { x, y, width, height } = this.getBounds();
    const window = this.standIn.findWindow()?.getBounds() ?? { x: 0, y: 0 };
    return { x: window.x + x, y: window.y + y, width, height };
  }
}

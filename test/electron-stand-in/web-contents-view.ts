import type * as Electron from 'electron';
import { readWebPreferences } from './contents-options.ts';
import { notEmulated } from './not-emulated.ts';
import { StandInView } from './view.ts';
import { StandInWebContents } from './web-contents.ts';
import { placeWindow } from './window-place.ts';

/** Minimum height of a Chromium window in pixels: a lower bar is loaded, but not in a window. */
const barHeight = 120;

/** A page inside a window: here, a Chromium window over it. */
export class StandInWebContentsView extends StandInView implements Pick<Electron.WebContentsView, 'getBounds'> {
  #contents: StandInWebContents | undefined;

  constructor(options: Electron.WebContentsViewConstructorOptions = {}) {
    super();
    if (options.webContents) notEmulated('WebContentsView with given web contents');
    const place = (): Electron.Rectangle => this.#place();
    const contents = new StandInWebContents(
      readWebPreferences(options.webPreferences ?? {}, {
        bounds: place,
        hidden: () => this.getBounds().height <= barHeight,
        backgroundColor: undefined,
      }),
    );
    this.#contents = contents;
    // It has neither a page nor a position after that.
    contents.once('chromium-ended', () => {
      this.#contents = undefined;
      this.standIn.parent?.removeChildView(this);
    });
    this.standIn.isEnded = () => this.#contents === undefined;
    this.standIn.contents = () => (this.#contents ? [this.#contents] : []);
    this.on('bounds-changed', () => {
      void contents.standIn.page.then((page) => placeWindow(page, place())).catch(() => {});
    });
  }

  get webContents(): StandInWebContents | undefined {
    return this.#contents;
  }

  #place(): Electron.Rectangle {
    const { x, y, width, height } = this.getBounds();
    const window = this.standIn.findWindow()?.getBounds() ?? { x: 0, y: 0 };
    return { x: window.x + x, y: window.y + y, width, height };
  }
}

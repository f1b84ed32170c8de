import type * as Electron from 'electron';
import { Menu } from './menu.ts';
import type { StandInImage } from './native-image.ts';
import { notEmulated, strictEmitter } from './not-emulated.ts';

const events = ['click', 'right-click', 'double-click', 'middle-click'];
const shown: StandInTray[] = [];

type Emulated = 'destroy' | 'isDestroyed' | 'setContextMenu' | 'setImage' | 'setToolTip';

/** An invisible tray icon: `Tray.standInShown` contains all of them. */
export class StandInTray extends strictEmitter('tray', events) implements Record<Emulated, unknown> {
  static readonly standInShown: readonly StandInTray[] = shown;
  #image: StandInImage;
  #toolTip = '';
  #menu: Menu | null = null;
  #isDestroyed = false;

  constructor(image: StandInImage, guid?: string) {
    super();
    if (guid !== undefined) notEmulated('a tray icon with a name of its own');
    this.#image = readImage(image);
    shown.push(this);
  }

  setImage(image: StandInImage): void {
    this.#refuseDestroyed();
    this.#image = readImage(image);
  }

  setToolTip(toolTip: string): void {
    this.#refuseDestroyed();
    this.#toolTip = toolTip;
  }

  setContextMenu(menu: Electron.Menu | Menu | null): void {
    this.#refuseDestroyed();
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Argument must be a menu');
    this.#menu = menu;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    shown.splice(shown.indexOf(this), 1);
  }

  /** For the stand-in itself: what a user would see. */
  standInVisible(): { image: string; toolTip: string; items: string[] } {
    const items = this.#menu?.items.filter(({ visible, type }) => visible && type !== 'separator') ?? [];
    return {
      image: this.#image.toDataURL(),
      toolTip: this.#toolTip,
      items: items.map(({ label }) => label.replaceAll('&&', '&')),
    };
  }

  /** For the stand-in itself: chooses the menu item with this label. */
  standInChoose(label: string): void {
    const item = this.#menu?.items.find((each) => each.label.replaceAll('&&', '&') === label);
    if (!item) throw new Error(`no such item: ${label}`);
    item.click();
  }

  #refuseDestroyed(): void {
    if (this.#isDestroyed) throw new Error('Tray is destroyed');
  }
}

function readImage(image: unknown): StandInImage {
  if (typeof image === 'string') return notEmulated('a tray icon by its path');
  return image as StandInImage;
}

import type * as Electron from 'electron';
import { createEvent } from './electron-event.ts';
import { markDestroyed } from './mark-destroyed.ts';
import { internalEvents } from './internal-events.ts';
import { StandInView } from './view.ts';
import type { StandInWebContents } from './web-contents.ts';
import { WindowFrame } from './window-frame.ts';
import { placeWindow, readWindowPlace } from './window-place.ts';
import type { WindowState } from './window-place.ts';

const all = new Map<number, StandInBaseWindow>();
let lastId = 0;

type Emulated =
  | 'blur'
  | 'close'
  | 'destroy'
  | 'focus'
  | 'hide'
  | 'id'
  | 'isDestroyed'
  | 'isEnabled'
  | 'isFocused'
  | 'isVisible'
  | 'show'
  | 'showInactive';

/** A window without its own page. Each page in it is a Chromium window, placed where Electron would draw it. */
export class StandInBaseWindow extends WindowFrame implements Pick<Electron.BaseWindow, Emulated> {
  readonly id = (lastId += 1);
  readonly contentView = new StandInView();
  #isVisible: boolean;
  #isFocused = false;
  #isDestroyed = false;

  constructor(options: Electron.BaseWindowConstructorOptions = {}) {
    super(options);
    this.#isVisible = options.show ?? true;
    all.set(this.id, this);
    this.contentView.standIn.window = this;
    internalEvents.emit('windowCreated', this);
  }

  static getAllWindows(): StandInBaseWindow[] {
    return [...all.values()];
  }

  static getFocusedWindow(): StandInBaseWindow | null {
    return StandInBaseWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }

  static fromId(id: number): StandInBaseWindow | null {
    return all.get(id) ?? null;
  }

  /** For the stand-in itself: every page shown in it. */
  standInPages(): StandInWebContents[] {
    return this.contentView.standIn.contents();
  }

  /** For the stand-in itself: follows the Chromium window of one of its pages. */
  standInFollow(contents: StandInWebContents): void {
    contents.on('chromium-closed', () => this.standInClosed());
    contents.on('chromium-resized', () => void this.#readBounds(contents));
    contents.on('focus', () => this.#setFocused(true));
    contents.on('blur', () => this.#setFocused(false));
  }

  /** For the stand-in itself: the user has closed it, which can no longer be prevented. */
  standInClosed(): void {
    if (this.#isDestroyed) return;
    this.emit('close', createEvent());
    this.standInEnd();
  }

  close(): void {
    const event = createEvent();
    this.emit('close', event);
    if (!event.defaultPrevented && !this.#isDestroyed) this.standInLeave();
  }

  /** Its views' pages stay alive. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#isFocused = false;
    all.delete(this.id);
    this.contentView.standIn.window = undefined;
    markDestroyed(this, ['id', 'destroy', 'isDestroyed']);
    this.emit('closed');
    if (all.size === 0) internalEvents.emit('allWindowsClosed');
  }

  /** For the stand-in itself: closes, unless something in it objects. */
  protected standInLeave(): void {
    this.standInEnd();
  }

  /** For the stand-in itself: closes. */
  protected standInEnd(): void {
    this.destroy();
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  show(): void {
    this.showInactive();
    this.focus();
  }

  showInactive(): void {
    const wasVisible = this.#isVisible;
    this.#isVisible = true;
    if (!wasVisible) this.emit('show');
  }

  hide(): void {
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.#setFocused(false);
    this.place('minimized');
    this.emit('hide');
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  focus(): void {
    if (this.isMinimized()) this.restore();
    for (const contents of this.standInPages()) contents.focus();
    this.#setFocused(true);
  }

  blur(): void {
    this.#setFocused(false);
  }

  isFocused(): boolean {
    return this.#isFocused;
  }

  isEnabled(): boolean {
    return true;
  }

  protected override place(place: Electron.Rectangle | WindowState): void {
    for (const contents of this.standInPages()) {
      const target = typeof place === 'string' ? place : contents.standIn.options.bounds();
      void contents.standIn.page.then((page) => placeWindow(page, target)).catch(() => {});
    }
  }

  async #readBounds(contents: StandInWebContents): Promise<void> {
    if (!this.isNormal() || this.standInPages()[0] !== contents) return;
    const bounds = await readWindowPlace(await contents.standIn.page);
    if (bounds && !this.#isDestroyed) this.standInMoved(bounds);
  }

  #setFocused(focused: boolean): void {
    if (focused === this.#isFocused || this.#isDestroyed) return;
    if (focused) for (const other of all.values()) if (other !== this) other.blur();
    this.#isFocused = focused;
    const name = focused ? 'focus' : 'blur';
    this.emit(name, createEvent());
    internalEvents.emit('windowEvent', name, this);
  }
}

internalEvents.on('browserGone', () => {
  for (const window of all.values()) window.standInClosed();
});

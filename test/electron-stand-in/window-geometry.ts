import type * as Electron from 'electron';
import { strictEmitter } from './not-emulated.ts';
import { screenArea } from './screen.ts';
import { windowEvents } from './window-events.ts';
import type { WindowState } from './window-place.ts';

type Emulated =
  | 'center'
  | 'getBounds'
  | 'getContentBounds'
  | 'getMinimumSize'
  | 'getNormalBounds'
  | 'getSize'
  | 'isFullScreen'
  | 'isMaximized'
  | 'isMinimized'
  | 'isNormal'
  | 'maximize'
  | 'minimize'
  | 'restore'
  | 'setBounds'
  | 'setFullScreen'
  | 'setPosition'
  | 'setSize'
  | 'unmaximize';

/**
 * Size, position and state of a window. They are cached here, because Electron returns them synchronously and Chromium
 * does not. Changes that the user makes to the Chromium window arrive through `standInMoved`.
 */
export abstract class WindowGeometry
  extends strictEmitter('window', windowEvents)
  implements Pick<Electron.BaseWindow, Emulated>
{
  #bounds: Electron.Rectangle;
  #minimumSize: readonly [number, number];
  #state: WindowState = 'normal';

  constructor(options: Electron.BaseWindowConstructorOptions) {
    super();
    const { width = 800, height = 600, minWidth = 0, minHeight = 0 } = options;
    const area = screenArea();
    this.#minimumSize = [minWidth, minHeight];
    this.#bounds = {
      x: options.x ?? Math.max(0, Math.round((area.width - width) / 2)),
      y: options.y ?? Math.max(0, Math.round((area.height - height) / 2)),
      width: Math.max(width, minWidth),
      height: Math.max(height, minHeight),
    };
  }

  /** Updates Chromium. */
  protected abstract place(place: Electron.Rectangle | WindowState): void;

  getBounds(): Electron.Rectangle {
    return this.#state === 'maximized' || this.#state === 'fullscreen' ? screenArea() : { ...this.#bounds };
  }

  getNormalBounds(): Electron.Rectangle {
    return this.standInBounds();
  }

  /** For the stand-in itself: also after it is destroyed. */
  standInBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }

  getContentBounds(): Electron.Rectangle {
    return this.getBounds();
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const [minWidth, minHeight] = this.#minimumSize;
    const { x, y, width, height } = { ...this.#bounds, ...bounds };
    const clamped = { x, y, width: Math.max(width, minWidth), height: Math.max(height, minHeight) };
    this.standInMoved(clamped);
    this.place(clamped);
  }

  getSize(): number[] {
    const { width, height } = this.getBounds();
    return [width, height];
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }

  center(): void {
    const area = screenArea();
    const { width, height } = this.#bounds;
    this.setPosition(Math.round((area.width - width) / 2), Math.round((area.height - height) / 2));
  }

  getMinimumSize(): number[] {
    return [...this.#minimumSize];
  }

  minimize(): void {
    this.#enter('minimized', 'minimize');
  }

  maximize(): void {
    this.#enter('maximized', 'maximize');
  }

  unmaximize(): void {
    if (this.isMaximized()) this.#enter('normal', 'unmaximize');
  }

  restore(): void {
    if (this.isMinimized()) this.#enter('normal', 'restore');
    else this.unmaximize();
  }

  setFullScreen(flag: boolean): void {
    if (flag === this.isFullScreen()) return;
    this.#enter(flag ? 'fullscreen' : 'normal', flag ? 'enter-full-screen' : 'leave-full-screen');
  }

  isMinimized(): boolean {
    return this.#state === 'minimized';
  }

  isMaximized(): boolean {
    return this.#state === 'maximized';
  }

  isFullScreen(): boolean {
    return this.#state === 'fullscreen';
  }

  isNormal(): boolean {
    return this.#state === 'normal';
  }

  /** For the stand-in itself: the current bounds, set by the app or the user. */
  standInMoved(bounds: Electron.Rectangle): void {
    const before = this.#bounds;
    this.#bounds = bounds;
    if (bounds.x !== before.x || bounds.y !== before.y) {
      this.emit('move');
      this.emit('moved');
    }
    if (bounds.width !== before.width || bounds.height !== before.height) {
      this.emit('resize');
      this.emit('resized');
    }
  }

  #enter(state: WindowState, event: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.place(state);
    this.emit(event);
    this.emit('resize');
  }
}

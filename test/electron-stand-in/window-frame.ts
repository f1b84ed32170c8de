import type * as Electron from 'electron';
import { WindowGeometry } from './window-geometry.ts';

/** The frame around a window's pages. */
export abstract class WindowFrame extends WindowGeometry implements Pick<Electron.BaseWindow, 'getTitle' | 'setTitle'> {
  #title: string;

  constructor(options: Electron.BaseWindowConstructorOptions) {
    super(options);
    this.#title = options.title ?? 'Electron';
  }

  getTitle(): string {
    return this.#title;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  // Chromium draws its own frame and has no taskbar or dock that a page could access.
  flashFrame(): void {}
  setBackgroundColor(): void {}
}

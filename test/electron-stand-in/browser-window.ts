import type * as Electron from 'electron';
import { StandInBaseWindow } from './base-window.ts';
import { readWebPreferences } from './contents-options.ts';
import type { ContentsOptions } from './contents-page.ts';
import { createEvent } from './electron-event.ts';
import { StandInWebContents } from './web-contents.ts';

/** A window with its own page. */
export class StandInBrowserWindow
  extends StandInBaseWindow
  implements Pick<Electron.BrowserWindow, 'loadURL' | 'reload'>
{
  readonly webContents: StandInWebContents;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super(options);
    this.webContents = new StandInWebContents(this.#readPreferences(options));
    this.standInFollow(this.webContents);
    this.webContents.once('chromium-ended', () => this.destroy());
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show', createEvent()));
    this.webContents.on('page-title-updated', (_, title: string, explicit: boolean) => {
      const event = createEvent();
      this.emit('page-title-updated', event, title, explicit);
      if (!event.defaultPrevented) this.setTitle(title);
    });
  }

  #readPreferences({
    webPreferences = {},
    backgroundColor,
  }: Electron.BrowserWindowConstructorOptions): ContentsOptions {
    try {
      const bounds = (): Electron.Rectangle => this.standInBounds();
      return readWebPreferences(webPreferences, { bounds, hidden: () => false, backgroundColor });
    } catch (error) {
      super.destroy();
      throw error;
    }
  }

  static override getAllWindows(): StandInBrowserWindow[] {
    return StandInBaseWindow.getAllWindows().filter((window) => window instanceof StandInBrowserWindow);
  }

  static override getFocusedWindow(): StandInBrowserWindow | null {
    return StandInBrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }

  static override fromId(id: number): StandInBrowserWindow | null {
    return StandInBrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  }

  static fromWebContents(contents: StandInWebContents): StandInBrowserWindow | null {
    if (contents.isDestroyed()) throw new TypeError('Object has been destroyed');
    return StandInBrowserWindow.getAllWindows().find(({ webContents }) => webContents === contents) ?? null;
  }

  override destroy(): void {
    if (this.isDestroyed()) return;
    this.webContents.close();
    super.destroy();
  }

  /** The page may object (beforeunload). */
  protected override standInLeave(): void {
    this.webContents.close({ waitForBeforeUnload: true });
  }

  /** Destroyed after its page. */
  protected override standInEnd(): void {
    if (!this.isDestroyed()) this.webContents.standInEnd();
  }

  override standInPages(): StandInWebContents[] {
    return this.webContents ? [this.webContents, ...super.standInPages()] : [];
  }

  loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
    return this.webContents.loadURL(url, options);
  }

  reload(): void {
    this.webContents.reload();
  }
}

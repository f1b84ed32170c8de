import type * as Electron from 'electron';
import { StandInBaseWindow } from './base-window.ts';
import { readWebPreferences } from './contents-options.ts';
import { createEvent } from './electron-event.ts';
import { StandInWebContents } from './web-contents.ts';

/** A window with a page of its own. */
export class StandInBrowserWindow
  extends StandInBaseWindow
  implements Pick<Electron.BrowserWindow, 'loadURL' | 'loadFile' | 'reload'>
{
  readonly webContents: StandInWebContents;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super(options);
    this.webContents = new StandInWebContents(
      readWebPreferences(options.webPreferences ?? {}, {
        bounds: () => this.getNormalBounds(),
        hidden: () => false,
        backgroundColor: options.backgroundColor,
      }),
    );
    this.standInFollow(this.webContents);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show', createEvent()));
    this.webContents.on('page-title-updated', (_, title: string, explicit: boolean) => {
      const event = createEvent();
      this.emit('page-title-updated', event, title, explicit);
      if (!event.defaultPrevented) this.setTitle(title);
    });
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
    return StandInBrowserWindow.getAllWindows().find(({ webContents }) => webContents === contents) ?? null;
  }

  override standInPages(): StandInWebContents[] {
    return this.webContents ? [this.webContents, ...super.standInPages()] : [];
  }

  loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
    return this.webContents.loadURL(url, options);
  }

  loadFile(filePath: string, options?: Electron.LoadFileOptions): Promise<void> {
    return this.webContents.loadFile(filePath, options);
  }

  reload(): void {
    this.webContents.reload();
  }

  capturePage(rect?: Electron.Rectangle): ReturnType<StandInWebContents['capturePage']> {
    return this.webContents.capturePage(rect);
  }

  blurWebView(): void {}
  focusOnWebView(): void {
    this.webContents.focus();
  }
}

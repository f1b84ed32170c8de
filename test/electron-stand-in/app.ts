import path from 'node:path';
import type * as Electron from 'electron';
import { appEvents } from './app-events.ts';
import { defaultPath } from './app-paths.ts';
import type { PathName } from './app-paths.ts';
import { StandInBaseWindow } from './base-window.ts';
import { StandInBrowserWindow } from './browser-window.ts';
import { killBrowser } from './browser.ts';
import { readCommandLine } from './command-line.ts';
import { createEvent } from './electron-event.ts';
import { internalEvents } from './internal-events.ts';
import { strictEmitter } from './not-emulated.ts';
import { closeSchemeRegistration } from './protocol.ts';
import { SingleInstance } from './single-instance.ts';
import { Menu } from './menu.ts';

type Emulated =
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'exit'
  | 'focus'
  | 'getAppPath'
  | 'getLocale'
  | 'getLoginItemSettings'
  | 'getName'
  | 'getPath'
  | 'getPreferredSystemLanguages'
  | 'getSystemLocale'
  | 'getVersion'
  | 'hasSingleInstanceLock'
  | 'hide'
  | 'isPackaged'
  | 'isReady'
  | 'name'
  | 'quit'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setAboutPanelOptions'
  | 'setAppLogsPath'
  | 'setAppUserModelId'
  | 'setBadgeCount'
  | 'setLoginItemSettings'
  | 'setName'
  | 'setPath'
  | 'show'
  | 'userAgentFallback'
  | 'whenReady';

export class StandInApp extends strictEmitter('app', appEvents) implements Pick<Electron.App, Emulated> {
  name = 'Electron';
  userAgentFallback = '';
  isPackaged = false;
  /** macOS alone has one. */
  readonly dock = undefined;
  readonly commandLine = readCommandLine(process.argv.slice(1));
  readonly #paths = new Map<string, string>();
  readonly #instance = new SingleInstance();
  readonly #ready = Promise.withResolvers<void>();
  #appPath = process.cwd();
  #version = '';
  #isReady = false;
  #isQuitting = false;
  #loginItem: Electron.Settings = {};

  /** For the stand-in itself: what Electron takes from the program's package.json. */
  standInDescribe(appPath: string, name: string, version: string): void {
    this.#appPath = appPath;
    this.name = name;
    this.#version = version;
    const folder = this.commandLine.getSwitchValue('user-data-dir');
    if (folder !== '') this.#paths.set('userData', path.resolve(folder));
  }

  /** For the stand-in itself: the program's entry has been evaluated, and Chromium is there. */
  standInStart(): void {
    closeSchemeRegistration();
    this.#isReady = true;
    this.emit('will-finish-launching');
    this.emit('ready', createEvent(), {});
    this.#ready.resolve();
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  getName(): string {
    return this.name;
  }

  setName(name: string): void {
    this.name = name;
  }

  getVersion(): string {
    return this.#version;
  }

  getAppPath(): string {
    return this.#appPath;
  }

  getPath(name: PathName): string {
    return this.#paths.get(name) ?? defaultPath(name, this.name, this.#paths.get('userData') ?? this.#userData());
  }

  setPath(name: string, value: string): void {
    if (!path.isAbsolute(value)) throw new Error('Path must be absolute');
    this.#paths.set(name, value);
  }

  setAppLogsPath(value?: string): void {
    this.#paths.set('logs', value ?? defaultPath('logs', this.name, this.getPath('userData')));
  }

  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const mine = { argv: process.argv, workingDirectory: process.cwd(), additionalData: additionalData ?? null };
    return this.#instance.request(this.getPath('userData'), mine, ({ argv, workingDirectory, additionalData: data }) =>
      this.emit('second-instance', createEvent(), argv, workingDirectory, data),
    );
  }

  hasSingleInstanceLock(): boolean {
    return this.#instance.isHeld;
  }

  releaseSingleInstanceLock(): void {
    this.#instance.release();
  }

  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    const event = createEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) {
      this.#isQuitting = false;
      return;
    }
    const windows = StandInBaseWindow.getAllWindows();
    if (windows.length === 0) this.#finishQuit();
    for (const window of windows) {
      // A window that stays keeps the program.
      window.once('close', (close: { readonly defaultPrevented: boolean }) =>
        setImmediate(() => {
          if (close.defaultPrevented) this.#isQuitting = false;
        }),
      );
      window.close();
    }
  }

  exit(exitCode = 0): void {
    for (const window of StandInBaseWindow.getAllWindows()) window.destroy();
    this.#end(exitCode);
  }

  focus(): void {
    StandInBaseWindow.getAllWindows()[0]?.focus();
  }

  show(): void {}
  hide(): void {}
  enableSandbox(): void {}
  disableHardwareAcceleration(): void {}
  setAppUserModelId(): void {}
  setAboutPanelOptions(): void {}

  setBadgeCount(): boolean {
    return false;
  }

  getLocale(): string {
    return this.getSystemLocale().split('-')[0] === 'en' ? 'en-US' : this.getSystemLocale();
  }

  getSystemLocale(): string {
    return Intl.DateTimeFormat().resolvedOptions().locale;
  }

  getPreferredSystemLanguages(): string[] {
    return [this.getSystemLocale()];
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    const { openAtLogin = false } = this.#loginItem;
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
    };
  }

  /** Remembered, and never told to the system. */
  setLoginItemSettings(settings: Electron.Settings): void {
    this.#loginItem = settings;
  }

  get applicationMenu(): Menu | null {
    return Menu.getApplicationMenu();
  }

  set applicationMenu(menu: Menu | null) {
    Menu.setApplicationMenu(menu);
  }

  /** For the stand-in itself. */
  standInAllWindowsClosed(): void {
    if (this.#isQuitting) this.#finishQuit();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #userData(): string {
    return defaultPath('userData', this.name, '');
  }

  #finishQuit(): void {
    const event = createEvent();
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#isQuitting = false;
    else this.#end(0);
  }

  #end(exitCode: number): void {
    this.emit('quit', createEvent(), exitCode);
    this.#instance.release();
    killBrowser();
    process.exit(exitCode);
  }
}

export const app = new StandInApp();

internalEvents.on('allWindowsClosed', () => app.standInAllWindowsClosed());
internalEvents.on('sessionCreated', (session) => app.emit('session-created', session));
internalEvents.on('contentsCreated', (contents) => {
  app.emit('web-contents-created', createEvent(), contents);
  contents.on('render-process-gone', (event, details) => app.emit('render-process-gone', event, contents, details));
});
internalEvents.on('contentsEvent', (name, event, contents, values) => app.emit(name, event, contents, ...values));
internalEvents.on('windowCreated', (window) =>
  setImmediate(() => app.emit('browser-window-created', createEvent(), window)),
);
internalEvents.on('windowEvent', (name, window) => app.emit(`browser-window-${name}`, createEvent(), window));
internalEvents.on('menuRole', (act) => {
  if (act === 'quit') return app.quit();
  const window = StandInBrowserWindow.getFocusedWindow() ?? StandInBrowserWindow.getAllWindows()[0];
  if (act === 'close') window?.close();
  else if (act === 'minimize') window?.minimize();
  else if (act === 'reload') window?.reload();
  else window?.setFullScreen(!window.isFullScreen());
});

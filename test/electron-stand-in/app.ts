import path from 'node:path';
import type * as Electron from 'electron';
import { AppLifecycle } from './app-lifecycle.ts';
import { defaultPath } from './app-paths.ts';
import type { PathName } from './app-paths.ts';
import { StandInBaseWindow } from './base-window.ts';
import { readCommandLine } from './command-line.ts';
import { Menu } from './menu.ts';
import { nativeImage } from './native-image.ts';
import { setAppName } from './user-agent.ts';

type Emulated =
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'focus'
  | 'getAppPath'
  | 'getFileIcon'
  | 'getLocale'
  | 'getLoginItemSettings'
  | 'getName'
  | 'getPath'
  | 'getPreferredSystemLanguages'
  | 'getSystemLocale'
  | 'getVersion'
  | 'hide'
  | 'isPackaged'
  | 'name'
  | 'setAboutPanelOptions'
  | 'setAppUserModelId'
  | 'setLoginItemSettings'
  | 'setName'
  | 'setPath'
  | 'show';

export class StandInApp extends AppLifecycle implements Pick<Electron.App, Emulated> {
  name = 'Electron';
  isPackaged = false;
  /** Only on macOS. */
  readonly dock = undefined;
  readonly commandLine = readCommandLine(process.argv.slice(1));
  readonly #paths = new Map<string, string>();
  #appPath = process.cwd();
  #version = '';
  #loginItem: Electron.Settings = {};

  /** For the stand-in itself: what Electron reads from the app's package.json. */
  standInDescribe(appPath: string, name: string, version: string): void {
    this.#appPath = appPath;
    this.name = name;
    this.#version = version;
    setAppName(name, version);
    const folder = this.commandLine.getSwitchValue('user-data-dir');
    if (folder !== '') this.#paths.set('userData', path.resolve(folder));
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

  /** The system has no icons here. */
  async getFileIcon(): Promise<Electron.NativeImage> {
    return nativeImage.createEmpty() as unknown as Electron.NativeImage;
  }

  getPath(name: PathName): string {
    return this.#paths.get(name) ?? defaultPath(name, this.name, this.#paths.get('userData') ?? this.#userData());
  }

  setPath(name: string, value: string): void {
    // Throws for an unknown name.
    this.getPath(name as PathName);
    if (!path.isAbsolute(value)) throw new Error('Path must be absolute');
    this.#paths.set(name, value);
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

  getLocale(): string {
    return this.getSystemLocale().split('-')[0] === 'en' ? 'en-US' : this.getSystemLocale();
  }

  getSystemLocale(): string {
    return Intl.DateTimeFormat().resolvedOptions().locale;
  }

  getPreferredSystemLanguages(): string[] {
    return [this.getSystemLocale()];
  }

  /** Windows answers for the given arguments; Linux does not support it. */
  getLoginItemSettings({ args = [] }: Electron.LoginItemSettingsOptions = {}): Electron.LoginItemSettings {
    const stored = this.#loginItem;
    const isSame = process.platform !== 'win32' || JSON.stringify(stored.args ?? []) === JSON.stringify(args);
    const openAtLogin = isSame && process.platform !== 'linux' && stored.openAtLogin === true;
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
    };
  }

  /** Stored, but never passed to the system. */
  setLoginItemSettings(settings: Electron.Settings): void {
    this.#loginItem = settings;
  }

  get applicationMenu(): Menu | null {
    return Menu.getApplicationMenu();
  }

  set applicationMenu(menu: Menu | null) {
    Menu.setApplicationMenu(menu);
  }

  #userData(): string {
    return defaultPath('userData', this.name, '');
  }
}

export const app = new StandInApp();

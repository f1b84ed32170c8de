import type { AppView } from '../../../shared/app-view.ts';
import { officialRegistry } from '../../../shared/choices.ts';
import type { Theme, WindowSurface } from '../../../shared/choices.ts';
import type { IpcInput } from '../../../shared/ipc-contract.ts';
import { languageOf } from '../../../shared/language-of.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { changeSidebar, type SidebarChange } from '../../../shared/sidebar.ts';
import { callbackUrl } from '../../integration/sign-in/callback-address.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { isUsedByPrograms, keepsRunning } from './keeps-running.ts';

type Change = IpcInput<'settings:update'>;

type SettingsView = Pick<
  AppView,
  | 'theme'
  | 'language'
  | 'settings'
  | 'sidebar'
  | 'canStartAtLogin'
  | 'offersStartAtLogin'
  | 'programsPaused'
  | 'callbackUrl'
>;

type ArrangedStore = Pick<
  IntegrationStore,
  'settings' | 'updateSettings' | 'list' | 'pendingDeletions' | 'listIsWhole'
>;

/** The program's settings as the window shows and changes them. */
export class WindowSettings {
  readonly #store: ArrangedStore;
  readonly #shell: Pick<DesktopShell, 'applyTheme' | 'startAtLogin' | 'systemLanguages'>;

  readonly #records: Pick<ProgramRecords, 'list'>;

  constructor(
    store: ArrangedStore,
    shell: Pick<DesktopShell, 'applyTheme' | 'startAtLogin' | 'systemLanguages'>,
    records: Pick<ProgramRecords, 'list'>,
  ) {
    this.#store = store;
    this.#shell = shell;
    this.#records = records;
  }

  /** `print` is the command line's; a window has a browser. */
  async surface(): Promise<WindowSurface> {
    const { signInSurface = 'popup' } = await this.#store.settings();
    return signInSurface === 'popup' ? 'popup' : 'browser';
  }

  async theme(): Promise<Theme> {
    return (await this.#store.settings()).theme ?? 'system';
  }

  async change({ startAtLogin, ...change }: Change): Promise<void> {
    if (startAtLogin !== undefined && this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(startAtLogin);
    if (startAtLogin !== undefined) await this.#noteAsked();
    const kept = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(kept).length === 0) return;
    const { theme = 'system' } = await this.#store.updateSettings((settings) => withoutNulls({ ...settings, ...kept }));
    if (change.theme !== undefined) this.#shell.applyTheme(theme);
  }

  /** Of the side bar. Errors: SIDE_BAR_FULL, where nothing is changed; CFG_*. */
  async arrange(change: SidebarChange): Promise<void> {
    const pending = await this.#store.pendingDeletions();
    const servers = [...(await this.#store.list()), ...pending.map(({ integration }) => integration)];
    const known = new Set(servers.map(({ id }) => id));
    // A server that cannot be read just now is not gone.
    const isWhole = await this.#store.listIsWhole();
    await this.#store.updateSettings((settings) => {
      const { sidebar = {}, ...others } = settings;
      const changed = changeSidebar(sidebar, change, (id) => !isWhole || known.has(id));
      if (!changed) throw new PosternError('SIDE_BAR_FULL', { stage: 'settings' });
      if (changed === sidebar) return settings;
      return Object.keys(changed).length === 0 ? others : { ...others, sidebar: changed };
    });
  }

  /** Whether Postern starts at login was said: nobody asks any more. */
  async #noteAsked(): Promise<void> {
    await this.#store.updateSettings((settings): Settings => {
      const { told = [] } = settings;
      return told.includes('start-at-login') ? settings : { ...settings, told: [...told, 'start-at-login'] };
    });
  }

  /** As at the first start, where the settings are gone. */
  forget(): void {
    this.#shell.applyTheme('system');
    if (this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(false);
  }

  async view(): Promise<SettingsView> {
    return this.#describe(await this.#store.settings(), await this.#records.list());
  }

  /** Where the settings cannot be read. */
  defaults(): SettingsView {
    return this.#describe({}, []);
  }

  #describe(settings: Settings, records: readonly ProgramRecord[]): SettingsView {
    const {
      callbackPort,
      gatewayPort,
      allowedOrigin,
      callbackHost = '127.0.0.1',
      theme = 'system',
      language = 'system',
      signInSurface = 'popup',
    } = settings;
    const { available, isOn } = this.#shell.startAtLogin;
    const startsAtLogin = available && isOn();
    const wasAsked = settings.told?.includes('start-at-login') ?? false;
    return {
      theme,
      language: languageOf(language, this.#shell.systemLanguages()),
      settings: {
        signInSurface: signInSurface === 'popup' ? 'popup' : 'browser',
        connectAtOnce: settings.connectAtOnce ?? false,
        callbackHost,
        ...(callbackPort !== undefined && { callbackPort }),
        ...(gatewayPort !== undefined && { gatewayPort }),
        ...(allowedOrigin !== undefined && { allowedOrigin }),
        theme,
        language,
        startAtLogin: startsAtLogin,
        activity: settings.activity ?? 'on',
        changedTools: settings.changedTools ?? 'show',
        searchesRegistry: settings.searchesRegistry ?? false,
        registry: settings.registry ?? officialRegistry,
        keepRunning: keepsRunning(settings, records),
      },
      sidebar: settings.sidebar ?? {},
      canStartAtLogin: available,
      offersStartAtLogin: available && !startsAtLogin && !wasAsked && isUsedByPrograms(records),
      programsPaused: settings.programsPaused ?? false,
      ...(callbackPort !== undefined && { callbackUrl: callbackUrl({ host: callbackHost, port: callbackPort }) }),
    };
  }
}

/** A setting that is to be as if it had never been made. */
function withoutNulls(settings: object): object {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

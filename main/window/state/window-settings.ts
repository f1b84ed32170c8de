import type { DesktopView } from '../../../shared/desktop-view.ts';
import type { WindowSurface } from '../../../shared/choices.ts';
import type { IpcInput } from '../../../shared/ipc-contract.ts';
import { languageOf } from '../../../shared/language.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { settingsInEffect } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { changeSidebar } from '../../../shared/sidebar.ts';
import type { SidebarChange } from '../../../shared/sidebar.ts';
import type { RegistrySearch } from '../../engine/registry-search.ts';
import { callbackUrl } from '../../engine/sign-in/callback-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AppRecords } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import type { DesktopShell, Hint, WindowStateStore } from '../../window-ports.ts';

/** Whether an app on this computer may use a server through Postern. */
function isUsedByApps(records: readonly AppRecord[]): boolean {
  return records.some(({ integrations, revokedAt }) => revokedAt === undefined && integrations.length > 0);
}

/** Whether Postern keeps running without its window: the user's setting, or else if an app needs it. */
export function keepsRunning({ keepRunning }: Settings, records: readonly AppRecord[]): boolean {
  return keepRunning ?? isUsedByApps(records);
}

type SettingsView = Pick<
  DesktopView,
  'theme' | 'language' | 'settings' | 'sidebar' | 'canStartAtLogin' | 'offersStartAtLogin' | 'callbackUrl'
>;

type SettingsStore = Pick<
  IntegrationStore,
  'settings' | 'updateSettings' | 'list' | 'pendingDeletions' | 'isListComplete'
>;

/** What settings affect besides the pages. */
interface SettingsTargets {
  readonly shell: Pick<DesktopShell, 'applyTheme' | 'startAtLogin' | 'systemLanguages'>;
  readonly registry: Pick<RegistrySearch, 'forget'>;
  readonly records: Pick<AppRecords, 'list'>;
  readonly windowState: WindowStateStore;
}

/** The settings, as the window shows and changes them. */
export class WindowSettings {
  readonly #store: SettingsStore;
  readonly #shell: SettingsTargets['shell'];
  readonly #registry: SettingsTargets['registry'];
  readonly #records: SettingsTargets['records'];
  readonly #windowState: WindowStateStore;

  constructor(store: SettingsStore, { shell, registry, records, windowState }: SettingsTargets) {
    this.#store = store;
    this.#shell = shell;
    this.#registry = registry;
    this.#records = records;
    this.#windowState = windowState;
  }

  async surface(): Promise<WindowSurface> {
    return settingsInEffect(await this.#store.settings()).signInSurface;
  }

  /** Applies settings outside of the pages, also after a command has changed them. Never rejects. */
  async applyChanged(): Promise<void> {
    const { theme } = settingsInEffect(await this.#read().catch((): Settings => this.#withoutRegistry({})));
    this.#shell.applyTheme(theme);
  }

  /** Applies the part of a change that the system stores instead of the settings file. Errors: CFG_*. */
  apply({ startAtLogin }: Pick<IpcInput<'settings:update'>, 'startAtLogin'>): void {
    if (startAtLogin === undefined) return;
    if (this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(startAtLogin);
    // Do not offer it again.
    showOnce(this.#windowState, 'start-at-login');
  }

  /** Changes the sidebar. Errors: SIDE_BAR_FULL (nothing is changed), CFG_*. */
  async arrange(change: SidebarChange): Promise<void> {
    if (change.do === 'fold' && change.group === undefined) {
      this.#windowState.change({ isSidebarFolded: change.isFolded });
      return;
    }
    const pending = await this.#store.pendingDeletions();
    const servers = [...(await this.#store.list()), ...pending.map(({ integration }) => integration)];
    const known = new Set(servers.map(({ id }) => id));
    // An unreadable server still exists.
    const isComplete = await this.#store.isListComplete();
    await this.#store.updateSettings((settings) => {
      const { sidebar = {}, ...others } = settings;
      const changed = changeSidebar(sidebar, change, (id) => !isComplete || known.has(id));
      if (!changed) throw new PosternError('SIDE_BAR_FULL', { stage: 'settings' });
      if (changed === sidebar) return settings;
      return Object.keys(changed).length === 0 ? others : { ...others, sidebar: changed };
    });
  }

  /** Resets to the first start, after the settings were deleted. */
  forget(): void {
    this.#windowState.forget();
    if (this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(false);
  }

  async view(): Promise<SettingsView> {
    return this.#describe(await this.#read(), await this.#records.list());
  }

  async #read(): Promise<Settings> {
    return this.#withoutRegistry(await this.#store.settings());
  }

  /** Clears search results whenever search is off: it may be on again before the next read. */
  #withoutRegistry(settings: Settings): Settings {
    if (!settingsInEffect(settings).searchesRegistry) this.#registry.forget();
    return settings;
  }

  /** For when the settings are unreadable. */
  defaults(): SettingsView {
    return this.#describe({}, []);
  }

  #describe(settings: Settings, records: readonly AppRecord[]): SettingsView {
    const inEffect = settingsInEffect(settings);
    const { callbackHost, callbackPort, language, theme } = inEffect;
    const { available, isOn } = this.#shell.startAtLogin;
    const startsAtLogin = available && isOn();
    const { isSidebarFolded, shownHints } = this.#windowState.read();
    const wasAsked = shownHints?.includes('start-at-login') ?? false;
    return {
      theme,
      language: languageOf(language, this.#shell.systemLanguages()),
      settings: { ...inEffect, keepRunning: keepsRunning(settings, records), startAtLogin: startsAtLogin },
      sidebar: { ...settings.sidebar, ...(isSidebarFolded && { isFolded: true }) },
      canStartAtLogin: available,
      offersStartAtLogin: available && !startsAtLogin && !wasAsked && isUsedByApps(records),
      ...(callbackPort !== undefined && { callbackUrl: callbackUrl({ host: callbackHost, port: callbackPort }) }),
    };
  }
}

/** True only the first time. */
export function showOnce(windowState: WindowStateStore, hint: Hint): boolean {
  const { shownHints = [] } = windowState.read();
  if (shownHints.includes(hint)) return false;
  windowState.change({ shownHints: [...shownHints, hint] });
  return true;
}

import type { AppView } from '../../../shared/app-view.ts';
import type { WindowSurface } from '../../../shared/choices.ts';
import type { IpcInput } from '../../../shared/ipc-contract.ts';
import { languageOf } from '../../../shared/language.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { settingsInEffect } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { changeSidebar } from '../../../shared/sidebar.ts';
import type { SidebarChange } from '../../../shared/sidebar.ts';
import type { RegistrySearch } from '../../engine/registry-search.ts';
import { callbackUrl } from '../../engine/sign-in/callback-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import type { DesktopShell, Hint, WindowMemory } from '../../window-ports.ts';

/** Whether a program on this computer uses a server through Postern. */
function isUsedByPrograms(records: readonly ProgramRecord[]): boolean {
  return records.some(({ integrations, revokedAt }) => revokedAt === undefined && integrations.length > 0);
}

/** Whether Postern goes on without its window: as the person says, else as soon as a program needs it. */
export function keepsRunning({ keepRunning }: Settings, records: readonly ProgramRecord[]): boolean {
  return keepRunning ?? isUsedByPrograms(records);
}

type SettingsView = Pick<
  AppView,
  'theme' | 'language' | 'settings' | 'sidebar' | 'canStartAtLogin' | 'offersStartAtLogin' | 'callbackUrl'
>;

type ArrangedStore = Pick<
  IntegrationStore,
  'settings' | 'updateSettings' | 'list' | 'pendingDeletions' | 'listIsWhole'
>;

/** What goes by settings beside the pages. */
interface Surroundings {
  readonly shell: Pick<DesktopShell, 'applyTheme' | 'startAtLogin' | 'systemLanguages'>;
  readonly registry: Pick<RegistrySearch, 'forget'>;
  readonly records: Pick<ProgramRecords, 'list'>;
  readonly memory: WindowMemory;
}

/** The program's settings as the window shows and changes them. */
export class WindowSettings {
  readonly #store: ArrangedStore;
  readonly #shell: Surroundings['shell'];
  readonly #registry: Surroundings['registry'];
  readonly #records: Surroundings['records'];
  readonly #memory: WindowMemory;

  constructor(store: ArrangedStore, { shell, registry, records, memory }: Surroundings) {
    this.#store = store;
    this.#shell = shell;
    this.#registry = registry;
    this.#records = records;
    this.#memory = memory;
  }

  async surface(): Promise<WindowSurface> {
    return settingsInEffect(await this.#store.settings()).signInSurface;
  }

  /** What holds beside the pages, after a command has changed settings too. Never rejects. */
  async follow(): Promise<void> {
    const { theme } = settingsInEffect(await this.#read().catch((): Settings => this.#withoutRegistry({})));
    this.#shell.applyTheme(theme);
  }

  /** What of a change is stored by the system, and no setting. Errors: CFG_*. */
  apply({ startAtLogin }: Pick<IpcInput<'settings:update'>, 'startAtLogin'>): void {
    if (startAtLogin === undefined) return;
    if (this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(startAtLogin);
    // Nobody asks any more.
    tellOnce(this.#memory, 'start-at-login');
  }

  /** Of the side bar. Errors: SIDE_BAR_FULL, where nothing is changed; CFG_*. */
  async arrange(change: SidebarChange): Promise<void> {
    if (change.do === 'fold' && change.group === undefined) {
      this.#memory.change({ isSidebarFolded: change.isFolded });
      return;
    }
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

  /** As at the first start, where the settings are gone. */
  forget(): void {
    this.#memory.forget();
    if (this.#shell.startAtLogin.available) this.#shell.startAtLogin.set(false);
  }

  async view(): Promise<SettingsView> {
    return this.#describe(await this.#read(), await this.#records.list());
  }

  async #read(): Promise<Settings> {
    return this.#withoutRegistry(await this.#store.settings());
  }

  /** Whoever reads that the search is off forgets what it has found: it may be on again before the next one reads. */
  #withoutRegistry(settings: Settings): Settings {
    if (!settingsInEffect(settings).searchesRegistry) this.#registry.forget();
    return settings;
  }

  /** Where the settings cannot be read. */
  defaults(): SettingsView {
    return this.#describe({}, []);
  }

  #describe(settings: Settings, records: readonly ProgramRecord[]): SettingsView {
    const inEffect = settingsInEffect(settings);
    const { callbackHost, callbackPort, language, theme } = inEffect;
    const { available, isOn } = this.#shell.startAtLogin;
    const startsAtLogin = available && isOn();
    const { isSidebarFolded, told } = this.#memory.read();
    const wasAsked = told?.includes('start-at-login') ?? false;
    return {
      theme,
      language: languageOf(language, this.#shell.systemLanguages()),
      settings: { ...inEffect, keepRunning: keepsRunning(settings, records), startAtLogin: startsAtLogin },
      sidebar: { ...settings.sidebar, ...(isSidebarFolded && { isFolded: true }) },
      canStartAtLogin: available,
      offersStartAtLogin: available && !startsAtLogin && !wasAsked && isUsedByPrograms(records),
      ...(callbackPort !== undefined && { callbackUrl: callbackUrl({ host: callbackHost, port: callbackPort }) }),
    };
  }
}

/** True the first time: the user is told of it, or asked, once. */
export function tellOnce(memory: WindowMemory, hint: Hint): boolean {
  const { told = [] } = memory.read();
  if (told.includes(hint)) return false;
  memory.change({ told: [...told, hint] });
  return true;
}

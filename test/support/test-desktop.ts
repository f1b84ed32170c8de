import { onTestFinished } from 'vitest';
import { createAppBackups } from '../../main/apps/files/app-backups.ts';
import { createAppFiles } from '../../main/apps/files/app-files.ts';
import type { AppDependencies } from '../../main/apps/app-dependencies.ts';
import { withSecretCleanup } from '../../main/apps/records/app-secret.ts';
import { freePort } from '../../main/net/endpoint/loopback-listener.ts';
import type { IntegrationStore, StoredData } from '../../main/ports.ts';
import { ActivityReader } from '../../main/storage/profile/activity-store.ts';
import { openTodaysCalls } from '../../main/storage/profile/todays-calls.ts';
import { openHistoryStore } from '../../main/storage/profile/history-store.ts';
import { openIconStore } from '../../main/storage/profile/icon-store.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { createSwitchableStore, createMemoryStore } from '../../main/storage/settings/store-layers.ts';
import { createMemoryVault } from '../../main/storage/vault/vault.ts';
import type {
  DesktopShell,
  Confirmation,
  Notice,
  WindowState,
  SettingsFile,
  SignInPopupOptions,
} from '../../main/window-ports.ts';
import { handleCall } from '../../main/window/ipc/handle-call.ts';
import { composeDesktop } from '../../main/window/start/desktop/compose-desktop.ts';
import type { ComposedDesktop } from '../../main/window/start/desktop/compose-desktop.ts';
import { WindowGateway } from '../../main/window/start/desktop/window-gateway.ts';
import { StorageHealth } from '../../main/window/state/storage-health.ts';
import type { StorageFinding } from '../../main/window/state/storage-health.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { ipcCalls } from '../../shared/ipc-contract.ts';
import type { IpcCall, IpcInput, IpcOutput } from '../../shared/ipc-contract.ts';
import type { IpcEvent, Snapshots } from '../../shared/ipc-event.ts';
import { createMemoryStoredData } from './memory-stored-data.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestEngine } from './test-engine.ts';
import type { TestEngine, TestEngineOptions } from './test-engine.ts';

export interface TestPopup extends SignInPopupOptions {
  isOpen: boolean;
  focused: number;
  /** Simulates the user closing it. */
  closeByHand(): void;
}

export interface TestDesktopOptions extends TestEngineOptions {
  /** Results of the self-test, one after the other; the last one repeats. */
  readonly findings?: readonly (readonly StorageFinding[])[];
  readonly storedData?: StoredData;
  /** The user's answers to main's own questions. Default: yes. */
  readonly answer?: (question: Confirmation) => Promise<boolean>;
  /** The file that the user chooses in a system dialog. Default: none. */
  readonly file?: () => string | undefined;
  /** Replaces the in-memory settings and list. */
  readonly store?: IntegrationStore;
  readonly settingsFile?: SettingsFile;
  /** Files of AI apps. Default: those of an empty home folder. */
  readonly apps?: (engine: TestEngine) => AppDependencies;
  /** Default: none. */
  readonly startAtLogin?: DesktopShell['startAtLogin'];
  /** Serves apps for the engine's profile, as the window does. */
  readonly serves?: boolean;
  /** The gateway, as the window opens it. */
  readonly onGateway?: (gateway: WindowGateway) => void;
  /** Continues from a popup that opens, or from a link that opens in the browser. */
  readonly onPage?: (url: string, surface: 'popup' | 'browser') => void;
}

export interface TestDesktop {
  readonly engine: TestEngine;
  readonly composed: ComposedDesktop;
  readonly popups: TestPopup[];
  readonly copied: string[];
  /** Color schemes set for the window, in order. */
  readonly themes: string[];
  /** Files for which the user chose a location. */
  readonly saved: { readonly name: string; readonly content: Buffer }[];
  /** Our folders and files that were shown. */
  readonly opened: string[];
  /** Questions from main to the user. */
  readonly confirmations: Confirmation[];
  readonly notices: Notice[];
  /** Every message sent to the window, as text. */
  readonly messages: string[];
  /** As the window last saw it. */
  readonly mirror: Partial<Snapshots>;
  /** Makes a call, by default as window 1; throws the error as data. */
  call<Call extends IpcCall>(call: Call, input: IpcInput<Call>, surface?: string): Promise<IpcOutput<Call>>;
  /** The same, returning the error. */
  callFailing(call: IpcCall, input: unknown, surface?: string): Promise<PlainError>;
  /** Waits until the window sees a matching sign-in attempt. */
  connection(id: string, matches: (view: ConnectionView) => boolean): Promise<ConnectionView>;
  /** Waits until the window sees a match. */
  waitFor<Found>(find: (mirror: Partial<Snapshots>) => Found | undefined | false): Promise<Found>;
}

const wellSettingsFile: SettingsFile = {
  path: '/nowhere/config.json',
  findFault: async () => undefined,
  restore: async () => undefined,
};

/** AI apps of an empty home folder. */
export function testApps({ folder, ports, vault }: TestEngine, home = temporaryFolder()): AppDependencies {
  const { locks, clock, random } = ports;
  return {
    files: createAppFiles({ home, commands: { platform: process.platform, findExecutable: () => undefined } }),
    backups: createAppBackups(folder),
    servers: ports.store,
    records: withSecretCleanup(openIntegrationStore({ folder, locks }).apps, async () => vault),
    locks,
    clock,
    random,
    host: { system: 'linux', home, variable: () => undefined },
    profileFolder: folder,
    pipe: { command: '/usr/bin/postern-pipe', args: [] },
    cli: { command: '/usr/bin/postern', args: [] },
    gatewayUrl: undefined,
  };
}

/** The desktop app's main process with the real engine and IPC contract; the window and the desktop are scripted. */
export async function createTestDesktop(options: TestDesktopOptions = {}): Promise<TestDesktop> {
  const engine = createTestEngine(options);
  const popups: TestPopup[] = [];
  const copied: string[] = [];
  const themes: string[] = [];
  const saved: TestDesktop['saved'] = [];
  const opened: string[] = [];
  const confirmations: Confirmation[] = [];
  const notices: TestDesktop['notices'] = [];
  const messages: string[] = [];
  const mirror: Partial<Snapshots> = {};
  const waiting = new Set<() => void>();
  const findings = [...(options.findings ?? [[{ name: 'keychain' }, { name: 'vault' }]])] as StorageFinding[][];

  let remembered: WindowState = {};

  const composed = await composeDesktop({
    folder: options.serves ? engine.folder : '/nowhere',
    facts: { version: '0', platform: 'linux', runtime: [], sandbox: 'on' },
    notices: () => [],
    onInteractive: () => {},
    send: receive,
    ...(options.serves && {
      openGateway: (ports, observer, onHttp) => {
        const { apps } = openIntegrationStore({ folder: engine.folder, locks: ports.locks });
        const gateway = new WindowGateway({
          ports,
          apps,
          collections: { list: async () => [] },
          folder: engine.folder,
          command: undefined,
          observer,
          onHttp,
        });
        options.onGateway?.(gateway);
        return gateway;
      },
    }),
    openPorts: async (onHealth) => {
      const apps = (options.apps ?? testApps)(engine);
      const store = createSwitchableStore(options.store ?? engine.ports.store);
      const health = new StorageHealth({
        backend: 'libsecret',
        vault: engine.vault,
        test: async () => (findings.length > 1 ? findings.shift() : findings[0]) ?? [],
        switchToMemory: () => {
          store.switchTo(createMemoryStore(engine.ports.store));
          return createMemoryVault();
        },
        onChange: onHealth,
      });
      return {
        ports: { ...engine.ports, store, vault: () => health.vault() },
        health,
        storedData: options.storedData ?? createMemoryStoredData(),
        settingsFile: options.settingsFile ?? wellSettingsFile,
        activity: new ActivityReader(engine.folder),
        todaysCalls: openTodaysCalls(engine.folder, engine.ports.clock),
        icons: openIconStore(engine.folder),
        history: openHistoryStore({
          profileFolder: engine.folder,
          locks: engine.ports.locks,
          list: engine.ports.store,
        }),
        apps,
        collections: openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks }).collections,
        openApps: async () => apps,
        freePort,
        proxy: async () => ({ mode: 'direct' }),
        close: async () => {},
      };
    },
    windowState: {
      read: () => remembered,
      change: (change) => void (remembered = { ...remembered, ...change }),
      forget: () => void (remembered = {}),
    },
    shell: {
      openPopup(popupOptions) {
        const popup: TestPopup = {
          ...popupOptions,
          isOpen: true,
          focused: 0,
          closeByHand() {
            if (!popup.isOpen) return;
            popup.isOpen = false;
            popupOptions.onClosed();
          },
        };
        popups.push(popup);
        options.onPage?.(popup.url, 'popup');
        return { focus: () => void (popup.focused += 1), close: () => void (popup.isOpen = false) };
      },
      openBrowser: async (url) => options.onPage?.(url, 'browser'),
      openFolder: async (place) => void opened.push(place),
      iconOfProgram: async () => undefined,
      copyText: (text) => void copied.push(text),
      saveFile: async (name, content) => {
        saved.push({ name, content: Buffer.from(content) });
        copied.push(Buffer.from(content).toString('utf8'));
        return true;
      },
      chooseFile: async (title) => {
        confirmations.push({ message: title, detail: '', button: '' });
        return options.file?.();
      },
      readText: async () => copied.at(-1),
      confirm: async (question) => {
        confirmations.push(question);
        return (await options.answer?.(question)) ?? true;
      },
      notify: (notice) => void notices.push(notice),
      applyTheme: (theme) => void themes.push(theme),
      systemLanguages: () => ['en-GB'],
      startAtLogin: options.startAtLogin ?? { available: false, isOn: () => false, set: () => {} },
    },
  });
  onTestFinished(() => composed.close());

  function receive(event: IpcEvent): void {
    messages.push(JSON.stringify(event));
    if (event.event === 'snapshot') Object.assign(mirror, JSON.parse(JSON.stringify(event.slices)));
    for (const find of waiting) find();
  }

  async function send(call: IpcCall, input: unknown, surface: string) {
    const handlers = Promise.resolve(composed.desktop.handlers);
    const result = await handleCall({ call, input, surface, handlers, onFailure: composed.onFailure });
    messages.push(JSON.stringify(result));
    return result;
  }

  async function waitFor<Found>(find: (mirror: Partial<Snapshots>) => Found | undefined | false): Promise<Found> {
    const { promise, resolve } = Promise.withResolvers<Found>();
    const attempt = (): void => {
      const found = find(mirror);
      if (found !== undefined && found !== false) resolve(found);
    };
    waiting.add(attempt);
    attempt();
    return await promise.finally(() => waiting.delete(attempt));
  }

  return {
    engine,
    composed,
    popups,
    copied,
    themes,
    saved,
    opened,
    confirmations: confirmations,
    notices,
    messages,
    mirror,
    waitFor: waitFor,
    connection: (id, matches) =>
      waitFor(({ connections }) => connections?.find((view) => view.id === id && matches(view))),
    async call(call, input, surface = 'window-1') {
      const result = await send(call, input, surface);
      if (!result.ok) throw Object.assign(new Error(result.error.code), { plain: result.error });
      return result.value as never;
    },
    async callFailing(call, input, surface = 'window-1') {
      if (!ipcCalls.includes(call)) throw new Error(`no such call: ${call}`);
      const result = await send(call, input, surface);
      if (result.ok) throw new Error(`${call} was answered`);
      return result.error;
    },
  };
}

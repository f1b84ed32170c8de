import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app, dialog, Menu, nativeImage, net, powerMonitor, session, Tray } from 'electron';
import type { NativeImage } from 'electron';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import type { IpcEvent } from '../../../shared/ipc-event.ts';
import { languageOf } from '../../../shared/language.ts';
import { appUserModelId, product } from '../../../shared/product.ts';
import type { Settings } from '../../../shared/settings.ts';
import { needsPerson } from '../../../shared/status-words.ts';
import { displayText } from '../../address/display-text.ts';
import { findPosternLink, isBackgroundLink, readPosternLink } from '../../address/parse-address.ts';
import { crashSite, PosternError } from '../../errors/postern-error.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import { profileSurroundings } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { RunRemoteCommand } from '../../net/endpoint/command-endpoint.ts';
import { renewPipe } from '../../host/programs/pipe-command.ts';
import type { IntegrationStore } from '../../ports.ts';
import { pageSandbox, removeIgnoredVariables, startSwitches } from '../../start-switches.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { WindowMemory } from '../../window-ports.ts';
import { speakInWindows, windowWords } from '../../window-words.ts';
import { registerAppScheme, serveAppFiles } from '../electron/app-protocol.ts';
import { createDesktopShell } from '../electron/desktop-shell.ts';
import { guardAllContents, sealSession } from '../electron/guard-contents.ts';
import { trayImages, trayTemplate, trayToolTip } from '../electron/tray-template.ts';
import type { TrayActions, TrayState } from '../electron/tray-template.ts';
import { serveCalls } from '../ipc/serve-calls.ts';
import { keepsRunning, tellOnce } from '../state/window-settings.ts';
import type { ComposedDesktop } from './desktop/compose-desktop.ts';
import { AskingWindow, ProgramWindows } from './program-windows.ts';
import { asksForBackground, LaterStarts, startAtLogin, wasOpenedByLogin } from './system/background-start.ts';
import { thisInstallation } from './system/this-installation.ts';
import { openWindowMemory } from './system/window-memory.ts';

/** What runs commands that were typed elsewhere, in a bundle of its own. */
export interface CommandsBundle {
  serveCommands(installation: Installation): Promise<{ readonly run: RunRemoteCommand; close(): Promise<void> }>;
}

interface WindowOptions {
  /** Loaded once the first one comes. */
  readonly loadCommands: () => Promise<CommandsBundle>;
}

/** The program in its window. To be awaited before `ready`, for which it does not wait. */
export async function startWindow({ loadCommands }: WindowOptions): Promise<void> {
  app.setAppUserModelId(appUserModelId);
  registerAppScheme();
  const starts = new LaterStarts(process.argv);
  const installation = thisInstallation();
  // Chromium and Node would both heed them.
  removeIgnoredVariables(process.env);
  const profile = await openProfileFolder(installation);
  app.setPath('userData', profile.folder);
  // What Chromium keeps for itself stays out of the way of what a person keeps.
  app.setPath('sessionData', path.join(profile.folder, 'browser'));

  // A second start brings the first window to the front.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  const link = findPosternLink(process.argv);
  const switches = startSwitches(process.argv);
  const options = {
    profile,
    installation,
    starts,
    loadCommands,
    smoke: switches.includes('--smoke'),
    describe: switches.includes('--describe-guards'),
    background: asksForBackground(process.argv) || (link !== undefined && isBackgroundLink(link)),
    demoUrl: app.isPackaged ? undefined : process.env['POSTERN_DEMO_URL'],
  };
  app.whenReady().then(
    () => startProgram(options),
    () => app.exit(1),
  );
}

export interface StartOptions extends WindowOptions {
  readonly profile: ProfileFolder;
  readonly installation: Installation;
  /** What else people start it with: again, or by a link. */
  readonly starts: LaterStarts;
  /** Ends with exit 0 once the first screen can be used. */
  readonly smoke: boolean;
  /** Before that, tells what stands between its pages and the program. */
  readonly describe: boolean;
  readonly demoUrl: string | undefined;
  /** Begins without a window. */
  readonly background: boolean;
}

/** After `ready`: the window first, then the engine beside it, and only then keychain, refreshes and files. */
export async function startProgram(options: StartOptions): Promise<void> {
  const { installation, smoke, describe, demoUrl } = options;
  const isBackground = options.background || wasOpenedByLogin();
  const profile = openProfile(options.profile.folder);
  const { log, store } = profile;
  void renewPipe(installation, options.profile.folder).catch(() => log.write('pipe-not-renewed'));
  removeIgnoredVariables(process.env);
  const bundles = path.dirname(import.meta.dirname);
  // Electron would show the error's text, which may hold what a server sent.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => log.write('unexpected', { type: event, at: crashSite(error) }));
  }
  // Of each load that fails Electron warns with the whole address, codes of a sign-in included, and Node would print it.
  process.removeAllListeners('warning');
  process.on('warning', ({ name }) => log.write('warning', { type: name }));
  const onBlocked = (): void => log.write('navigation-blocked', { code: 'NAV_BLOCKED' });
  guardAllContents(onBlocked);
  serveAppFiles(path.join(bundles, 'renderer'));

  let opened: ComposedDesktop | undefined;
  let isWorking = false;
  // Our own pages are in it, and whatever is in no other: sealed before the first of them is loaded.
  const sealed = sealSession(session.defaultSession);
  const kept = await store.settings().catch((): Settings => ({}));
  speakInWindows(languageOf(kept.language ?? 'system', app.getPreferredSystemLanguages()));
  const memory = openWindowMemory(options.profile.folder);
  const windows = new ProgramWindows({
    bundles,
    sealed,
    place: () => memory.read().place,
    onPlace: (place) => memory.change({ place }),
    onClosed: () => opened?.desktop.windowsClosed(),
    onHidden: () => void inTray.closed(),
    onBlocked,
  });
  const asking = new AskingWindow({
    bundles,
    sealed,
    senders: windows.senders,
    onRefused: (ids) =>
      void handlers.then((calls) =>
        Promise.all(ids.map((id) => calls['permission:answer']({ id, answer: 'no' }, { surface: 'asking' }))),
      ),
  });
  const inTray = new ProgramInTray({ store, memory, windows, isBackground });
  const shell = createDesktopShell({
    mainWindow: () => windows.current,
    focusWindow: () => windows.show(),
    onCommand: (command, integrationId) => windows.command(command, integrationId),
    startAtLogin: startAtLogin(options.profile.folder),
  });
  shell.applyTheme(kept.theme ?? 'system');

  let served: ReturnType<CommandsBundle['serveCommands']> | undefined;
  const runCommand: RunRemoteCommand = async (command) => {
    served ??= options.loadCommands().then(({ serveCommands }) => serveCommands(installation));
    const commands = await served.catch(() => (served = undefined));
    return await commands?.run(command);
  };
  const { error: failed } = options.profile;
  const notices = (): readonly PosternError[] => [...(failed ? [failed] : []), ...store.notices()];
  const opening = import('./desktop/open-desktop.ts').then(async ({ openDesktop }) => {
    opened = await openDesktop({
      profile,
      installation,
      shell,
      memory,
      runCommand,
      facts: {
        version: product.version,
        platform: process.platform,
        runtime: ['electron', 'chrome', 'node'].map((name) => ({ name, version: process.versions[name] ?? 'none' })),
        sandbox: pageSandbox(app.commandLine.hasSwitch('no-sandbox'), process.env),
        demoUrl,
      },
      notices,
      send: (event) => {
        const view = event.event === 'snapshot' ? event.slices.app : undefined;
        if (view && speakInWindows(view.language)) windows.showMenu();
        windows.send(event);
        asking.take(event);
        inTray.take(event);
      },
      onInteractive,
    });
    return opened;
  });
  const handlers: Promise<IpcHandlers> = opening.then(({ desktop }) => desktop.handlers);
  serveCalls({ handlers, senders: windows.senders, onFailure: (report) => opened?.onFailure(report) });
  if (isBackground) {
    app.dock?.hide();
    // What cannot serve, and has no window to say why, is of no use.
    void opening.then(work, () => app.exit(1));
  } else windows.show();

  function onInteractive(): void {
    if (smoke) {
      process.stdout.write('interactive\n');
      void (describe ? tellGuards() : Promise.resolve()).finally(() => app.quit());
      return;
    }
    windows.interactive();
    work();
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    opened?.startWork();
  }

  async function tellGuards(): Promise<void> {
    const { describeGuards } = await import('./system/describe-guards.ts');
    if (windows.current) process.stdout.write(`guards ${JSON.stringify(await describeGuards(windows.current))}\n`);
  }

  options.starts.handle({
    show: () => windows.show(),
    open: (link) => windows.open(readPosternLink(link)),
  });
  app.on('activate', () => windows.show());
  app.on('window-all-closed', () => void inTray.closed());
  watchNetwork(() => opened?.wake());
  quitTidily(async () => {
    windows.remember();
    await opening.then(({ close }) => close());
    await (await served)?.close();
  });
  await sealed;
}

/** Milliseconds between two looks at the network: main hears of no change by itself. */
const networkLook = 5_000;

/** Tells when the machine woke up, and when the network came back. */
function watchNetwork(onBack: () => void): void {
  powerMonitor.on('resume', onBack);
  let wasOnline = net.isOnline();
  setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) onBack();
    wasOnline = isOnline;
  }, networkLook).unref();
}

/** Milliseconds for ending flows, answering programs and closing what is open; the program ends in any case. */
const closingTime = 5_000;

/** Ends flows and closes what is open before the program does, once, within a bound. */
function quitTidily(close: () => Promise<void>): void {
  let closing = false;
  app.on('before-quit', (event) => {
    if (closing) return;
    closing = true;
    event.preventDefault();
    const patience = new Promise((resolve) => setTimeout(resolve, closingTime).unref());
    void Promise.race([close().catch(() => {}), patience]).then(() => app.exit(0));
  });
}

export interface ProfileFolder {
  readonly folder: string;
  /** Why it is a temporary one: the window opens in any case, and says so. */
  readonly error?: PosternError;
}

/** The profile folder, or one that ends with this run where the real one cannot be made. */
export async function openProfileFolder(installation: Installation): Promise<ProfileFolder> {
  try {
    return { folder: await makeProfileFolder(profileSurroundings(installation)) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { folder: await mkdtemp(path.join(tmpdir(), 'postern-')), error };
  }
}

interface ProgramInTrayOptions {
  readonly store: Pick<IntegrationStore, 'settings' | 'updateSettings'> & { readonly programs: ProgramRecords };
  readonly memory: WindowMemory;
  readonly windows: ProgramWindows;
  /** It began without a window. */
  readonly isBackground: boolean;
}

/** The program without its window: whether it goes on, and its icon in the tray meanwhile. */
export class ProgramInTray {
  readonly #options: ProgramInTrayOptions;
  #tray: ProgramTray | undefined;
  #isWanted: boolean;
  #state: TrayState = { needing: [], isPaused: false };

  constructor(options: ProgramInTrayOptions) {
    this.#options = options;
    this.#isWanted = options.isBackground;
    this.#show();
  }

  /** Takes what windows are shown. */
  take(event: IpcEvent): void {
    if (event.event !== 'snapshot') return;
    const { app: view, integrations } = event.slices;
    if (view) this.#isWanted = view.settings.keepRunning || this.#options.isBackground;
    this.#state = {
      isPaused: view?.settings.programsPaused ?? this.#state.isPaused,
      needing:
        integrations?.filter(needsPerson).map(({ id, name }) => ({ id, name: displayText(name) })) ??
        this.#state.needing,
    };
    this.#show();
  }

  /** The last window was closed. Never rejects. */
  async closed(): Promise<void> {
    const { store, memory, windows } = this.#options;
    const settings = await store.settings().catch((): Settings => ({}));
    const records = await store.programs.list().catch(() => []);
    // One may have been opened again meanwhile.
    if (windows.current) return;
    if (!keepsRunning(settings, records)) {
      // macOS keeps programs without a window in its Dock.
      if (process.platform !== 'darwin') app.quit();
      return;
    }
    this.#isWanted = true;
    this.#show();
    if (tellOnce(memory, 'keeps-running')) await this.#tell();
  }

  async #tell(): Promise<void> {
    const { message, detail, buttons } = windowWords.keepsRunning;
    const options = { message, detail: detail(process.platform), buttons: [...buttons], defaultId: 0, cancelId: 0 };
    const { response } = await dialog.showMessageBox({ type: 'info', noLink: true, ...options });
    if (response === 1) app.quit();
  }

  #show(): void {
    if (this.#tray && this.#isWanted) return this.#tray.show(this.#state);
    this.#tray?.remove();
    this.#tray = this.#isWanted ? new ProgramTray(this.#state, this.#actions()) : undefined;
  }

  #actions(): ConstructorParameters<typeof ProgramTray>[1] {
    const { store, windows } = this.#options;
    return {
      open: () => windows.show(),
      openServer: (id) => windows.command('integration', id),
      pause: (programsPaused) =>
        void store.updateSettings((settings) => ({ ...settings, programsPaused })).catch(() => windows.show()),
      quit: () => app.quit(),
    };
  }
}

/** The program's icon in the tray, the notification area or the menu bar. */
class ProgramTray {
  readonly #actions: TrayActions;
  readonly #tray: Tray;

  constructor(state: TrayState, actions: TrayActions) {
    this.#actions = actions;
    this.#tray = new Tray(imageOf(state));
    // Where a click comes: macOS shows the menu instead, and some desktops on Linux do.
    this.#tray.on('click', () => process.platform !== 'darwin' && actions.open());
    this.show(state);
  }

  show(state: TrayState): void {
    this.#tray.setImage(imageOf(state));
    this.#tray.setToolTip(trayToolTip(state));
    // Linux takes a change of an item only with its menu.
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, this.#actions)));
  }

  remove(): void {
    this.#tray.destroy();
  }
}

/** macOS draws a template in the colour of its menu bar, so that it tells the states apart by shape alone. */
function imageOf({ needing, isPaused }: TrayState): NativeImage {
  const isMac = process.platform === 'darwin';
  const kind = isMac ? 'template' : 'colour';
  const image = nativeImage.createEmpty();
  for (const [scale, png] of trayImages[kind][needing.length > 0 || isPaused ? 'needs' : 'fine'].entries())
    image.addRepresentation({ scaleFactor: scale + 1, buffer: Buffer.from(png, 'base64') });
  if (isMac) image.setTemplateImage(true);
  return image;
}

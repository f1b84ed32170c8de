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
import { needsUser } from '../../../shared/status-words.ts';
import { displayText } from '../../address/display-text.ts';
import { findPosternLink, isBackgroundLink, readPosternLink } from '../../address/parse-address.ts';
import { crashSite, PosternError } from '../../errors/postern-error.ts';
import type { AppRecords } from '../../gateway-ports.ts';
import { profileSurroundings } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { RunRemoteCommand } from '../../net/endpoint/command-endpoint.ts';
import { renewPipe } from '../../host/apps/pipe-command.ts';
import type { IntegrationStore } from '../../ports.ts';
import { pageSandbox, removeIgnoredVariables, startSwitches } from '../../start-switches.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { WindowMemory } from '../../window-ports.ts';
import { setWindowLanguage, windowWords } from '../../window-words.ts';
import { registerAppScheme, serveAppFiles } from '../electron/app-protocol.ts';
import { createDesktopShell } from '../electron/desktop-shell.ts';
import { guardAllContents, sealSession } from '../electron/guard-contents.ts';
import { trayImages, trayTemplate, trayToolTip } from '../electron/tray-template.ts';
import type { TrayActions, TrayState } from '../electron/tray-template.ts';
import { serveCalls } from '../ipc/serve-calls.ts';
import { keepsRunning, showOnce } from '../state/window-settings.ts';
import type { ComposedDesktop } from './desktop/compose-desktop.ts';
import { ConfirmationWindow, PosternWindows } from './app-windows.ts';
import { asksForBackground, LaterStarts, startAtLogin, wasOpenedByLogin } from './system/background-start.ts';
import { thisInstallation } from './system/this-installation.ts';
import { openWindowMemory } from './system/window-memory.ts';

/** Runs commands for other processes. A separate bundle. */
export interface CommandsBundle {
  serveCommands(installation: Installation): Promise<{ readonly run: RunRemoteCommand; close(): Promise<void> }>;
}

interface WindowOptions {
  /** Called for the first command. */
  readonly loadCommands: () => Promise<CommandsBundle>;
}

/** Starts Postern with its window. Await it before `ready`; it does not wait for `ready` itself. */
export async function startWindow({ loadCommands }: WindowOptions): Promise<void> {
  app.setAppUserModelId(appUserModelId);
  registerAppScheme();
  const starts = new LaterStarts(process.argv);
  const installation = thisInstallation();
  // Chromium and Node would both use them.
  removeIgnoredVariables(process.env);
  const profile = await openProfileFolder(installation);
  app.setPath('userData', profile.folder);
  // Keeps Chromium's files apart from the user's data.
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
    () => startPostern(options),
    () => app.exit(1),
  );
}

export interface StartOptions extends WindowOptions {
  readonly profile: ProfileFolder;
  readonly installation: Installation;
  /** Later starts: a second launch, or a link. */
  readonly starts: LaterStarts;
  /** Exits with 0 once the first screen is ready. */
  readonly smoke: boolean;
  /** Before that, prints the security guards in force. */
  readonly describe: boolean;
  readonly demoUrl: string | undefined;
  /** Starts without a window. */
  readonly background: boolean;
}

/** After `ready`: the window first, then the engine beside it, and only then keychain, refreshes and files. */
export async function startPostern(options: StartOptions): Promise<void> {
  const { installation, smoke, describe, demoUrl } = options;
  const isBackground = options.background || wasOpenedByLogin();
  const profile = openProfile(options.profile.folder);
  const { log, store } = profile;
  void renewPipe(installation, options.profile.folder).catch(() => log.write('pipe-not-renewed'));
  removeIgnoredVariables(process.env);
  const bundles = path.dirname(import.meta.dirname);
  // Electron would show the error message, which may contain text from a server.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => log.write('unexpected', { type: event, at: crashSite(error) }));
  }
  // For each failed load, Electron emits a warning with the whole URL, including authorization codes; Node would print
  // it.
  process.removeAllListeners('warning');
  process.on('warning', ({ name }) => log.write('warning', { type: name }));
  const onBlocked = (): void => log.write('navigation-blocked', { code: 'NAV_BLOCKED' });
  guardAllContents(onBlocked);
  serveAppFiles(path.join(bundles, 'renderer'));

  let opened: ComposedDesktop | undefined;
  let isWorking = false;
  // The default session is for our own pages. It is sealed before the first one is loaded.
  const sealed = sealSession(session.defaultSession);
  const stored = await store.settings().catch((): Settings => ({}));
  setWindowLanguage(languageOf(stored.language ?? 'system', app.getPreferredSystemLanguages()));
  const memory = openWindowMemory(options.profile.folder);
  const windows = new PosternWindows({
    bundles,
    sealed,
    bounds: () => memory.read().place,
    onBounds: (place) => memory.change({ place }),
    onClosed: () => opened?.desktop.windowsClosed(),
    onHidden: () => void inTray.closed(),
    onBlocked,
  });
  const asking = new ConfirmationWindow({
    bundles,
    sealed,
    senders: windows.senders,
    onRefused: (ids) =>
      void handlers.then((calls) =>
        Promise.all(ids.map((id) => calls['permission:answer']({ id, answer: 'no' }, { surface: 'asking' }))),
      ),
  });
  const inTray = new PosternInTray({ store, memory, windows, isBackground });
  const shell = createDesktopShell({
    mainWindow: () => windows.current,
    focusWindow: () => windows.show(),
    onCommand: (command, integrationId) => windows.command(command, integrationId),
    startAtLogin: startAtLogin(options.profile.folder),
  });
  shell.applyTheme(stored.theme ?? 'system');

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
        const view = event.event === 'snapshot' ? event.slices.desktop : undefined;
        if (view && setWindowLanguage(view.language)) windows.showMenu();
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
    // Without a gateway and without a window to show why, exit.
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
  quitGracefully(async () => {
    windows.saveBounds();
    await opening.then(({ close }) => close());
    await (await served)?.close();
  });
  await sealed;
}

/** Milliseconds between network checks: main gets no event for changes. */
const networkCheckInterval = 5_000;

/** Calls `onBack` after sleep, and when the network is back. */
function watchNetwork(onBack: () => void): void {
  powerMonitor.on('resume', onBack);
  let wasOnline = net.isOnline();
  setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) onBack();
    wasOnline = isOnline;
  }, networkCheckInterval).unref();
}

/** Milliseconds to end flows, respond to apps and close everything. Then Postern exits in any case. */
const closeTimeout = 5_000;

/** Closes everything before the app quits, once and with a timeout. */
function quitGracefully(close: () => Promise<void>): void {
  let closing = false;
  app.on('before-quit', (event) => {
    if (closing) return;
    closing = true;
    event.preventDefault();
    const patience = new Promise((resolve) => setTimeout(resolve, closeTimeout).unref());
    void Promise.race([close().catch(() => {}), patience]).then(() => app.exit(0));
  });
}

export interface ProfileFolder {
  readonly folder: string;
  /** Why the folder is temporary. The window opens anyway, and shows it. */
  readonly error?: PosternError;
}

/** The profile folder, or a temporary one if it cannot be created. */
export async function openProfileFolder(installation: Installation): Promise<ProfileFolder> {
  try {
    return { folder: await makeProfileFolder(profileSurroundings(installation)) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { folder: await mkdtemp(path.join(tmpdir(), 'postern-')), error };
  }
}

interface PosternInTrayOptions {
  readonly store: Pick<IntegrationStore, 'settings' | 'updateSettings'> & { readonly apps: AppRecords };
  readonly memory: WindowMemory;
  readonly windows: PosternWindows;
  /** Started without a window. */
  readonly isBackground: boolean;
}

/** Postern without its window: decides whether it keeps running, and shows the tray icon. */
export class PosternInTray {
  readonly #options: PosternInTrayOptions;
  #tray: PosternTray | undefined;
  #isWanted: boolean;
  #state: TrayState = { serversNeedingUser: [], isPaused: false };

  constructor(options: PosternInTrayOptions) {
    this.#options = options;
    this.#isWanted = options.isBackground;
    this.#show();
  }

  /** Receives every event for windows. */
  take(event: IpcEvent): void {
    if (event.event !== 'snapshot') return;
    const { desktop: view, integrations } = event.slices;
    if (view) this.#isWanted = view.settings.keepRunning || this.#options.isBackground;
    this.#state = {
      isPaused: view?.settings.appsPaused ?? this.#state.isPaused,
      serversNeedingUser:
        integrations?.filter(needsUser).map(({ id, name }) => ({ id, name: displayText(name) })) ??
        this.#state.serversNeedingUser,
    };
    this.#show();
  }

  /** The last window was closed. Never rejects. */
  async closed(): Promise<void> {
    const { store, memory, windows } = this.#options;
    const settings = await store.settings().catch((): Settings => ({}));
    const records = await store.apps.list().catch(() => []);
    // A window may have been opened meanwhile.
    if (windows.current) return;
    if (!keepsRunning(settings, records)) {
      // On macOS, apps stay in the Dock without a window.
      if (process.platform !== 'darwin') app.quit();
      return;
    }
    this.#isWanted = true;
    this.#show();
    if (showOnce(memory, 'keeps-running')) await this.#tell();
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
    this.#tray = this.#isWanted ? new PosternTray(this.#state, this.#actions()) : undefined;
  }

  #actions(): ConstructorParameters<typeof PosternTray>[1] {
    const { store, windows } = this.#options;
    return {
      open: () => windows.show(),
      openServer: (id) => windows.command('integration', id),
      pause: (appsPaused) =>
        void store.updateSettings((settings) => ({ ...settings, appsPaused })).catch(() => windows.show()),
      quit: () => app.quit(),
    };
  }
}

/** The icon in the tray, notification area or menu bar. */
class PosternTray {
  readonly #actions: TrayActions;
  readonly #tray: Tray;

  constructor(state: TrayState, actions: TrayActions) {
    this.#actions = actions;
    this.#tray = new Tray(imageOf(state));
    // macOS and some Linux desktops show the menu on click instead.
    this.#tray.on('click', () => process.platform !== 'darwin' && actions.open());
    this.show(state);
  }

  show(state: TrayState): void {
    this.#tray.setImage(imageOf(state));
    this.#tray.setToolTip(trayToolTip(state));
    // On Linux, menu items only change together with the menu.
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, this.#actions)));
  }

  remove(): void {
    this.#tray.destroy();
  }
}

/** macOS draws a template image in the color of the menu bar, so states must differ by shape. */
function imageOf({ serversNeedingUser, isPaused }: TrayState): NativeImage {
  const isMac = process.platform === 'darwin';
  const kind = isMac ? 'template' : 'color';
  const image = nativeImage.createEmpty();
  for (const [scale, png] of trayImages[kind][serversNeedingUser.length > 0 || isPaused ? 'needs' : 'fine'].entries())
    image.addRepresentation({ scaleFactor: scale + 1, buffer: Buffer.from(png, 'base64') });
  if (isMac) image.setTemplateImage(true);
  return image;
}

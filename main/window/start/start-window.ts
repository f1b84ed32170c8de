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
import { profileEnvironment } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { RunRemoteCommand } from '../../net/endpoint/control-endpoint.ts';
import { updateInstalledPipe } from '../../host/apps/pipe-command.ts';
import type { IntegrationStore } from '../../ports.ts';
import { pageSandbox, removeIgnoredVariables, startSwitches } from '../../start-switches.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { WindowStateStore } from '../../window-ports.ts';
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
import { asksForBackground, LaunchRequests, createStartAtLogin, wasOpenedByLogin } from './system/background-start.ts';
import { thisInstallation } from './system/this-installation.ts';
import { openWindowStateStore } from './system/window-state-store.ts';

/** Runs commands for other processes. A separate bundle. */
interface CommandsBundle {
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
  const starts = new LaunchRequests(process.argv);
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
    describesGuards: switches.includes('--describe-guards'),
    background: asksForBackground(process.argv) || (link !== undefined && isBackgroundLink(link)),
    demoUrl: app.isPackaged ? undefined : process.env['POSTERN_DEMO_URL'],
  };
  app.whenReady().then(
    () => startPostern(options),
    () => app.exit(1),
  );
}

interface StartOptions extends WindowOptions {
  readonly profile: ProfileFolder;
  readonly installation: Installation;
  /** Later starts: a second launch, or a link. */
  readonly starts: LaunchRequests;
  /** Exits with 0 once the first screen is ready. */
  readonly smoke: boolean;
  /** Prints the security guards in force before exiting. */
  readonly describesGuards: boolean;
  readonly demoUrl: string | undefined;
  /** Starts without a window. */
  readonly background: boolean;
}

/** After `ready`: the window first, then the engine beside it, and only then keychain, refreshes and files. */
export async function startPostern(options: StartOptions): Promise<void> {
  const { installation, smoke, describesGuards, demoUrl } = options;
  const isBackground = options.background || wasOpenedByLogin();
  const profile = openProfile(options.profile.folder);
  const { log, store } = profile;
  void updateInstalledPipe(installation, options.profile.folder).catch(() => log.write('pipe-not-renewed'));
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
  const windowState = openWindowStateStore(options.profile.folder);
  const windows = new PosternWindows({
    bundles,
    sealed,
    bounds: () => windowState.read().place,
    onBounds: (place) => windowState.change({ place }),
    onClosed: () => opened?.desktop.windowsClosed(),
    onHidden: () => void tray.onWindowsClosed(),
    onBlocked,
  });
  const confirmationWindow = new ConfirmationWindow({
    bundles,
    sealed,
    senders: windows.senders,
    onRefused: (ids) =>
      void handlers.then((calls) =>
        Promise.all(ids.map((id) => calls['permission:answer']({ id, answer: 'no' }, { surface: 'asking' }))),
      ),
  });
  const tray = new TrayController({ store, windowState, windows, isBackground });
  const shell = createDesktopShell({
    mainWindow: () => windows.current,
    focusWindow: () => windows.show(),
    showHeldCalls: () => confirmationWindow.show() || windows.show(),
    onCommand: (command, integrationId) => windows.command(command, integrationId),
    startAtLogin: createStartAtLogin(options.profile.folder),
  });
  shell.applyTheme(stored.theme ?? 'system');

  let commandServer: ReturnType<CommandsBundle['serveCommands']> | undefined;
  const runCommand: RunRemoteCommand = async (command) => {
    commandServer ??= options.loadCommands().then(({ serveCommands }) => serveCommands(installation));
    const commands = await commandServer.catch(() => (commandServer = undefined));
    return await commands?.run(command);
  };
  const { error: folderError } = options.profile;
  const notices = (): readonly PosternError[] => [...(folderError ? [folderError] : []), ...store.notices()];
  const opening = import('./desktop/open-desktop.ts').then(async ({ openDesktop }) => {
    opened = await openDesktop({
      profile,
      installation,
      shell,
      windowState,
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
        confirmationWindow.handleEvent(event);
        tray.handleEvent(event);
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
      void (describesGuards ? printGuards() : Promise.resolve()).finally(() => app.quit());
      return;
    }
    windows.onInteractive();
    work();
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    opened?.startWork();
  }

  async function printGuards(): Promise<void> {
    const { describeGuards } = await import('./system/describe-guards.ts');
    if (windows.current) process.stdout.write(`guards ${JSON.stringify(await describeGuards(windows.current))}\n`);
  }

  options.starts.handle({
    show: () => windows.show(),
    open: (link) => windows.open(readPosternLink(link)),
  });
  app.on('activate', () => windows.show());
  app.on('window-all-closed', () => void tray.onWindowsClosed());
  watchNetwork(() => opened?.wake());
  quitGracefully(async () => {
    windows.saveBounds();
    await opening.then(({ close }) => close());
    await (await commandServer)?.close();
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
    const timeout = new Promise((resolve) => setTimeout(resolve, closeTimeout).unref());
    void Promise.race([close().catch(() => {}), timeout]).then(() => app.exit(0));
  });
}

interface ProfileFolder {
  readonly folder: string;
  /** Why the folder is temporary. The window opens anyway, and shows it. */
  readonly error?: PosternError;
}

/** The profile folder, or a temporary one if it cannot be created. */
async function openProfileFolder(installation: Installation): Promise<ProfileFolder> {
  try {
    return { folder: makeProfileFolder(profileEnvironment(installation)) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { folder: await mkdtemp(path.join(tmpdir(), 'postern-')), error };
  }
}

interface TrayControllerOptions {
  readonly store: Pick<IntegrationStore, 'settings' | 'updateSettings'> & { readonly apps: AppRecords };
  readonly windowState: WindowStateStore;
  readonly windows: PosternWindows;
  /** Started without a window. */
  readonly isBackground: boolean;
}

/** Postern without its window: decides whether it keeps running, and shows the tray icon. */
class TrayController {
  readonly #options: TrayControllerOptions;
  #tray: TrayIcon | undefined;
  #isVisible: boolean;
  #state: TrayState = { serversNeedingUser: [], isPaused: false };

  constructor(options: TrayControllerOptions) {
    this.#options = options;
    this.#isVisible = options.isBackground;
    this.#show();
  }

  /** Receives every event for windows. */
  handleEvent(event: IpcEvent): void {
    if (event.event !== 'snapshot') return;
    const { desktop: view, integrations } = event.slices;
    if (view) this.#isVisible = view.settings.keepRunning || this.#options.isBackground;
    this.#state = {
      isPaused: view?.settings.appsPaused ?? this.#state.isPaused,
      serversNeedingUser:
        integrations?.filter(needsUser).map(({ id, name }) => ({ id, name: displayText(name) })) ??
        this.#state.serversNeedingUser,
    };
    this.#show();
  }

  /** The last window was closed. Never rejects. */
  async onWindowsClosed(): Promise<void> {
    const { store, windowState, windows } = this.#options;
    const settings = await store.settings().catch((): Settings => ({}));
    const records = await store.apps.list().catch(() => []);
    // A window may have been opened meanwhile.
    if (windows.current) return;
    if (!keepsRunning(settings, records)) {
      // On macOS, apps stay in the Dock without a window.
      if (process.platform !== 'darwin') app.quit();
      return;
    }
    this.#isVisible = true;
    this.#show();
    if (showOnce(windowState, 'keeps-running')) await this.#explainOnce();
  }

  async #explainOnce(): Promise<void> {
    const { message, detail, buttons } = windowWords.keepsRunning;
    const options = { message, detail: detail(process.platform), buttons: [...buttons], defaultId: 0, cancelId: 0 };
    const { response } = await dialog.showMessageBox({ type: 'info', noLink: true, ...options });
    if (response === 1) app.quit();
  }

  #show(): void {
    if (this.#tray && this.#isVisible) return this.#tray.show(this.#state);
    this.#tray?.remove();
    this.#tray = this.#isVisible ? new TrayIcon(this.#state, this.#actions()) : undefined;
  }

  #actions(): ConstructorParameters<typeof TrayIcon>[1] {
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
class TrayIcon {
  readonly #actions: TrayActions;
  readonly #tray: Tray;

  constructor(state: TrayState, actions: TrayActions) {
    this.#actions = actions;
    this.#tray = new Tray(createTrayImage(state));
    // macOS and some Linux desktops show the menu on click instead.
    this.#tray.on('click', () => process.platform !== 'darwin' && actions.open());
    this.show(state);
  }

  show(state: TrayState): void {
    this.#tray.setImage(createTrayImage(state));
    this.#tray.setToolTip(trayToolTip(state));
    // On Linux, menu items only change together with the menu.
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, this.#actions)));
  }

  remove(): void {
    this.#tray.destroy();
  }
}

/** macOS draws a template image in the color of the menu bar, so states must differ by shape. */
function createTrayImage({ serversNeedingUser, isPaused }: TrayState): NativeImage {
  const isMac = process.platform === 'darwin';
  const kind = isMac ? 'template' : 'color';
  const image = nativeImage.createEmpty();
  for (const [scale, png] of trayImages[kind][serversNeedingUser.length > 0 || isPaused ? 'needs' : 'fine'].entries())
    image.addRepresentation({ scaleFactor: scale + 1, buffer: Buffer.from(png, 'base64') });
  if (isMac) image.setTemplateImage(true);
  return image;
}

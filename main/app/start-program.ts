import path from 'node:path';
import { app, net, powerMonitor, session } from 'electron';
import type { IpcHandlers } from '../../shared/ipc-handlers.ts';
import { languageOf } from '../../shared/language-of.ts';
import { product } from '../../shared/product.ts';
import type { Settings, WindowPlace } from '../../shared/settings.ts';
import { crashSite } from '../crash-site.ts';
import type { Installation } from '../engine/installation.ts';
import { renewPipe } from '../engine/programs/pipe-command.ts';
import { openProfile } from '../engine/open-profile.ts';
import { serveCalls } from '../ipc/serve-calls.ts';
import { removeIgnoredVariables } from '../user-agent/http/ignored-variables.ts';
import { speakInWindows } from '../window-words.ts';
import { serveAppFiles } from '../windows/app-protocol.ts';
import { createDesktopShell } from '../windows/desktop-shell.ts';
import { guardAllContents } from '../windows/guard-contents.ts';
import { sealSession } from '../windows/seal-session.ts';
import { readPosternLink } from '../address/postern-link.ts';
import { wasOpenedByLogin } from './system/background-start.ts';
import type { LaterStarts } from './system/later-starts.ts';
import type { ComposedDesktop } from './desktop/compose-desktop.ts';
import type { ProfileFolder } from './open-profile-folder.ts';
import { pageSandbox } from './system/page-sandbox.ts';
import { AskingWindow } from './asking-window.ts';
import { ProgramInTray } from './program-in-tray.ts';
import { ProgramWindows } from './program-windows.ts';
import { startAtLogin } from './system/start-at-login.ts';
import type { PosternError } from '../postern-error.ts';

export interface StartOptions {
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
  let place: WindowPlace | undefined = kept.window;
  let placed: Promise<unknown> = Promise.resolve();
  const windows = new ProgramWindows({
    bundles,
    sealed,
    place: () => place,
    onPlace: (next) => {
      place = next;
      placed = store.updateSettings((settings) => ({ ...settings, window: next })).catch(() => {});
    },
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
  const inTray = new ProgramInTray({ store, windows, isBackground });
  const shell = createDesktopShell({
    mainWindow: () => windows.current,
    focusWindow: () => windows.show(),
    onCommand: (command, integrationId) => windows.command(command, integrationId),
    startAtLogin: startAtLogin(options.profile.folder),
  });
  shell.applyTheme(kept.theme ?? 'system');

  const { error: failed } = options.profile;
  const notices = (): readonly PosternError[] => [...(failed ? [failed] : []), ...store.notices()];
  const opening = import('./desktop/open-desktop.ts').then(async ({ openDesktop }) => {
    opened = await openDesktop({
      profile,
      installation,
      shell,
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
    await Promise.allSettled([placed, opening.then(({ close }) => close())]);
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

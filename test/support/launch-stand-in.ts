import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Dialog, Page } from 'playwright-core';
import { fromChromiumUrl } from '../electron-stand-in/custom-scheme.ts';
import type { LaunchedWindow } from './launch-window.ts';
import { standInLauncher } from './window-runtime.ts';

export interface AppStart {
  readonly app: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Electron, if it is the runtime. */
  readonly executable?: string | undefined;
}

interface Evaluated {
  readonly evaluated: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Milliseconds that an app may take to exit on its own. */
const exitTimeout = 120_000;

interface ContentsOfStandIn {
  readonly standIn: { readonly page: Promise<{ readonly id: string }> };
  close(): void;
}

/** In the main process: closes a page as an Electron driver does, leaving its window. */
async function closePage(
  { webContents }: { readonly webContents: { getAllWebContents(): ContentsOfStandIn[] } },
  id: string,
): Promise<void> {
  for (const contents of webContents.getAllWebContents()) if ((await contents.standIn.page).id === id) contents.close();
}

/** The app handles a page that objects to being closed; Playwright would close it and race the app. */
export function dismissOthers(dialog: Dialog): void {
  if (dialog.type() !== 'beforeunload') void dialog.dismiss().catch(() => {});
}

/** Runs the app on Chromium and connects to its pages as a second client. */
export async function launchStandIn({ app, args, env }: AppStart): Promise<LaunchedWindow> {
  const child = spawn(process.execPath, [standInLauncher, app, ...args], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const pending = new Map<number, (result: Evaluated) => void>();
  const started = new Promise<string>((resolve, reject) => {
    child.on('message', (message: { pages?: string } & Evaluated) => {
      if (message.pages === undefined) pending.get(message.evaluated)?.(message);
      else resolve(message.pages);
    });
    void ended.then((code) => reject(new Error(`the app ended with ${code} before it had a window:\n${output}`)));
  });
  // An interrupted test leaves nothing behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));

  const browser = await chromium.connectOverCDP(await started, { timeout: 0 });
  // One context has every page, including those of other sessions.
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium shows no pages');
  let evaluations = 0;

  async function evaluate(run: unknown, argument: unknown): Promise<never> {
    const id = (evaluations += 1);
    const result = await new Promise<Evaluated>((resolve, reject) => {
      pending.set(id, resolve);
      void ended.then((code) => reject(new Error(`the app has ended with ${code}:\n${output}`)));
      child.send({ evaluate: id, source: String(run), argument }, (error) => error && reject(error));
    });
    pending.delete(id);
    if (result.error !== undefined) throw new Error(result.error);
    return result.value as never;
  }

  // Chromium's way to close a page would close its window, as a user does.
  const replaceClose = (page: Page): void => {
    page.close = async () => {
      const closed = page.waitForEvent('close', { timeout: 0 });
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send('Target.getTargetInfo');
      await evaluate(closePage, targetInfo.targetId);
      await closed;
    };
  };
  context.on('dialog', dismissOthers);
  for (const page of context.pages()) replaceClose(page);
  context.on('page', replaceClose);

  return {
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    pages: () => context.pages(),
    urlOf: (page) => fromChromiumUrl(page.url()),
    onPage(listener) {
      context.on('page', listener);
      return () => void context.off('page', listener);
    },
    evaluate,
    async close() {
      // A context, so that its trace ends first.
      await context.close().catch(() => {});
      child.kill('SIGTERM');
      const timer = setTimeout(kill, exitTimeout);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import type * as z from 'zod';
import type { PlainError } from '../../shared/error-codes.ts';
import { askingPage } from '../../shared/ipc-channels.ts';
import { ipcCalls, ipcContract } from '../../shared/ipc-contract.ts';
import type { IpcCall, IpcOutput } from '../../shared/ipc-contract.ts';
import { snapshotsSchema } from '../../shared/ipc-event.ts';
import type { IpcEvent, Snapshots } from '../../shared/ipc-event.ts';
import { findChromium } from '../electron-stand-in/find-chromium.ts';
import { installMain } from './install-main.ts';
import type { Given } from './install-main.ts';

export type Answers = { readonly [Name in IpcCall]?: IpcOutput<Name> | { readonly error: PlainError } | 'never' };

export interface Call {
  readonly call: IpcCall;
  readonly input: unknown;
}

export interface OpenedRenderer {
  readonly page: Page;
  /** What the window asked of main so far. */
  calls(): Promise<Call[]>;
  /** Main publishes. */
  publish(slices: Partial<Snapshots>): Promise<void>;
  send(event: IpcEvent): Promise<void>;
  /** Console errors and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Hears no more complaints, and gives the page to whoever loads the renderer next. */
  leave(): Promise<void>;
}

export interface RendererOptions {
  readonly snapshots: Snapshots;
  readonly answers?: Answers | undefined;
  /** The small window that asks about calls of tools. */
  readonly isAsking?: boolean | undefined;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

const origin = 'https://app.postern.localhost';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** As strict as the window's own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium is installed (POSTERN_CHROMIUM may name one)');
  return await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
}

/** An empty page that finds the built renderer, and nothing else, at its origin. In a context of its own. */
export async function newRendererPage(browser: Browser, folder: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    const path = normalize(join(folder, url.pathname === '/' ? 'index.html' : url.pathname));
    if (url.origin !== origin || !path.startsWith(folder + sep) || !existsSync(path)) return route.abort();
    const headers = { 'content-type': types[extname(path)] ?? 'text/plain', 'content-security-policy': policy };
    return route.fulfill({ headers, body: readFileSync(path) });
  });
  return await context.newPage();
}

/**
 * Loads the renderer anew, with a main that answers from fixtures. Fixtures have to fit the contract. Of what another
 * test may have done to the page, nothing is left that a load does not end: the renderer stores nothing.
 */
export async function loadRenderer(page: Page, options: RendererOptions): Promise<OpenedRenderer> {
  const { width = 1_400, height = 900, colorScheme = 'light' } = options;
  const snapshots = snapshotsSchema.parse(options.snapshots);
  const answers: Answers = options.answers ?? {};
  for (const [call, answer] of Object.entries(answers)) {
    if (answer === 'never' || 'error' in (answer ?? {})) continue;
    const { output }: { output: z.ZodType } = ipcContract[call as IpcCall];
    output.parse(answer);
  }
  await page.unrouteAll();
  // Nothing lies under the pointer, as in a new page.
  await page.mouse.move(-1, -1);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, forcedColors: null, reducedMotion: null });
  const given = JSON.stringify({ calls: ipcCalls, snapshots, answers } satisfies Given);
  const script = await page.addInitScript(installMain, given);
  const complaints: string[] = [];
  const hear = (message: ConsoleMessage): void => {
    if (message.type() === 'error') complaints.push(message.text());
  };
  const catchError = (error: Error): void => void complaints.push(String(error));
  page.on('console', hear).on('pageerror', catchError);
  await page.goto(`${origin}/${options.isAsking === true ? askingPage : ''}`);
  await page.locator('.frame, .held-call').waitFor();
  return {
    page,
    complaints,
    calls: () => page.evaluate(() => (window as unknown as FakeWindow).fakeMain.calls),
    publish: (slices) => page.evaluate((sent) => (window as unknown as FakeWindow).fakeMain.publish(sent), slices),
    send: (event) => page.evaluate((sent) => (window as unknown as FakeWindow).fakeMain.send(sent), event),
    leave: async () => {
      page.off('console', hear).off('pageerror', catchError);
      await script.dispose();
      // What is left of it works no more, and no late complaint of it is the next one's.
      await page.goto('about:blank');
    },
  };
}

/** The built renderer in a page of its own. */
export async function openRenderer(
  browser: Browser,
  folder: string,
  options: RendererOptions,
): Promise<OpenedRenderer & { close(): Promise<void> }> {
  const opened = await loadRenderer(await newRendererPage(browser, folder), options);
  return { ...opened, close: () => opened.page.context().close() };
}

interface FakeWindow {
  fakeMain: { calls: Call[]; publish(slices: unknown): void; send(event: unknown): void };
}

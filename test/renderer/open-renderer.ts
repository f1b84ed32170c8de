import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import type * as z from 'zod/mini';
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

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** Where axe is served. */
export const axePath = '/axe.js';
/** As strict as the window's own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface RendererServer extends AsyncDisposable {
  readonly origin: string;
}

/**
 * Serves the built renderer, and axe beside it. Over a real connection, since Chromium then stores what it has loaded
 * and compiled: what is answered by Playwright it reads, parses and compiles anew for each page.
 */
export async function serveRenderer(folder: string): Promise<RendererServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://renderer.invalid');
    const path = normalize(join(folder, pathname === '/' ? 'index.html' : pathname));
    const isAxe = pathname === axePath;
    if (!isAxe && (!path.startsWith(folder + sep) || !existsSync(path))) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': types[extname(path)] ?? 'text/plain',
      'content-security-policy': policy,
      'cache-control': 'max-age=86400',
    });
    response.end(isAxe ? axe.source : readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `args`: more of them. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium is installed (POSTERN_CHROMIUM may name one)');
  return await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', ...args],
  });
}

/** A browser that finds nothing but what loopback serves. */
export async function launchRendererBrowser(): Promise<Browser> {
  return await launchBrowser(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']);
}

/** An empty page. In a context of its own. */
export async function newRendererPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  return await context.newPage();
}

/**
 * Loads the renderer anew, with a main that answers from fixtures. Fixtures have to fit the contract. Of what another
 * test may have done to the page, nothing is left that a load does not end: the renderer stores nothing.
 */
export async function loadRenderer(page: Page, origin: string, options: RendererOptions): Promise<OpenedRenderer> {
  const { width = 1_400, height = 900, colorScheme = 'light' } = options;
  const snapshots = snapshotsSchema.parse(options.snapshots);
  const answers: Answers = options.answers ?? {};
  for (const [call, answer] of Object.entries(answers)) {
    if (answer === 'never' || 'error' in (answer ?? {})) continue;
    const { output }: { output: z.ZodMiniType } = ipcContract[call as IpcCall];
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
  origin: string,
  options: RendererOptions,
): Promise<OpenedRenderer & { close(): Promise<void> }> {
  const opened = await loadRenderer(await newRendererPage(browser), origin, options);
  return { ...opened, close: () => opened.page.context().close() };
}

interface FakeWindow {
  fakeMain: { calls: Call[]; publish(slices: unknown): void; send(event: unknown): void };
}

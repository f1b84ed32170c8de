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
import type { PageWithRoots } from './react-roots.ts';

export type Answers = { readonly [Name in IpcCall]?: IpcOutput<Name> | { readonly error: PlainError } | 'never' };

export interface Call {
  readonly call: IpcCall;
  readonly input: unknown;
}

export interface OpenedRenderer {
  readonly page: Page;
  /** Calls the window made so far. */
  calls(): Promise<Call[]>;
  /** Main publishes. */
  publish(slices: Partial<Snapshots>): Promise<void>;
  send(event: IpcEvent): Promise<void>;
  /** Console errors and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Stops collecting errors, and leaves the page to the next `showRenderer`. */
  leave(): Promise<void>;
}

export interface RendererOptions {
  readonly snapshots: Snapshots;
  readonly answers?: Answers | undefined;
  /** The small window for held calls. */
  readonly isAsking?: boolean | undefined;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Without animations, so that tests need not wait. */
  readonly reducedMotion?: 'reduce' | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** Where a run of tests has the built renderer. */
export const builtFolder = ({ outputDir }: { readonly outputDir: string }): string => join(outputDir, 'built');

/** Path of axe on the server. */
export const axePath = '/axe.js';
/** As strict as the window's own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface RendererServer extends AsyncDisposable {
  readonly origin: string;
}

/**
 * Serves the built renderer, and axe beside it. Over a real connection, because Chromium then caches compiled
 * code; responses from Playwright are parsed and compiled again for each page.
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

/** `args`: extra browser arguments. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium is installed (POSTERN_CHROMIUM may name one)');
  return await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', ...args],
  });
}

/** A browser that reaches only loopback. */
export async function launchRendererBrowser(): Promise<Browser> {
  return await launchBrowser(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']);
}

/** An empty page in its own context. */
export async function newRendererPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  return await context.newPage();
}

/**
 * Shows the renderer on a main made of fixtures, which must match the contract. An empty page loads it. A page that
 * showed it before loads only its own modules again, without their state; the document, its process and React, which
 * take most of a load, are reused.
 */
export async function showRenderer(page: Page, origin: string, options: RendererOptions): Promise<OpenedRenderer> {
  const { width = 1_400, height = 900, colorScheme = 'light' } = options;
  const snapshots = snapshotsSchema.parse(options.snapshots);
  const answers: Answers = options.answers ?? {};
  for (const [call, result] of Object.entries(answers)) {
    if (result === 'never' || 'error' in (result ?? {})) continue;
    const { output }: { output: z.ZodMiniType } = ipcContract[call as IpcCall];
    output.parse(result);
  }
  await page.unrouteAll();
  // No element is under the pointer, as in a new page.
  await page.mouse.move(-1, -1);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, forcedColors: null, reducedMotion: options.reducedMotion ?? null });
  const given = JSON.stringify({ calls: ipcCalls, snapshots, answers } satisfies Given);
  const script = await page.addInitScript(installMain, given);
  const complaints: string[] = [];
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === 'error') complaints.push(message.text());
  };
  const catchError = (error: Error): void => void complaints.push(String(error));
  page.on('console', onConsole).on('pageerror', catchError);
  const address = `${origin}/${options.isAsking === true ? askingPage : ''}`;
  if (page.url().startsWith(origin)) {
    await page.evaluate(installMain, given);
    await page.evaluate(importAnew, address);
  } else await page.goto(address);
  await page.locator('.frame, .held-call').waitFor();
  return {
    page,
    complaints,
    calls: () => page.evaluate(() => (window as unknown as FakeWindow).fakeMain.calls),
    publish: (slices) => page.evaluate((sent) => (window as unknown as FakeWindow).fakeMain.publish(sent), slices),
    send: (event) => page.evaluate((sent) => (window as unknown as FakeWindow).fakeMain.send(sent), event),
    leave: async () => {
      await page.evaluate(clearPage);
      // Chromium treats the last focus as a pointer focus, as in a new page.
      await page.mouse.click(1, 1);
      page.off('console', onConsole).off('pageerror', catchError);
      await script.dispose();
    },
  };
}

/** Runs in a cleared page: loads the entry's modules under a new URL. */
async function importAnew(address: string): Promise<void> {
  const { src } = document.querySelector<HTMLScriptElement>('script[type="module"]') ?? {};
  if (src === undefined) throw new Error('the page has no entry');
  history.replaceState(null, '', address);
  await import(`${src}?${crypto.randomUUID()}`);
  const { roots = [] } = window as PageWithRoots;
  if (roots.length !== 1) throw new Error(`the renderer was drawn ${roots.length} times`);
}

/** Runs in a page: unmounts the renderer, and undoes changes to the document. */
function clearPage(): void {
  const { roots = [], fakeMain } = window as unknown as FakeWindow & PageWithRoots;
  for (const root of roots.splice(0)) root.unmount();
  fakeMain.leave();
  const root = document.createElement('div');
  root.id = 'root';
  document.body.replaceChildren(root);
  const html = document.documentElement;
  for (const name of html.getAttributeNames()) if (name !== 'lang') html.removeAttribute(name);
  html.lang = 'en';
  // Such as `hidden`. React stores its listener flag there.
  for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(document)))
    if (configurable === true && !name.startsWith('_react')) Reflect.deleteProperty(document, name);
  scrollTo(0, 0);
}

/** The built renderer in its own page. */
export async function openRenderer(
  browser: Browser,
  origin: string,
  options: RendererOptions,
): Promise<OpenedRenderer & { close(): Promise<void> }> {
  const opened = await showRenderer(await newRendererPage(browser), origin, options);
  return { ...opened, close: () => opened.page.context().close() };
}

interface FakeWindow {
  fakeMain: { calls: Call[]; publish(slices: unknown): void; send(event: unknown): void; leave(): void };
}

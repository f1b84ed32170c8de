import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ipcEventChannel } from '../../shared/ipc-channels.ts';
import { ipcCalls } from '../../shared/ipc-contract.ts';
import { recordArrivals } from '../support/record-arrivals.ts';
import type { Arrivals } from '../support/record-arrivals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tryWebRtc } from '../support/try-webrtc.ts';
import { answerQuestions, questionsAsked } from './kit/answer-questions.ts';
import { frameIsShown } from './kit/frame-is-shown.ts';
import { profileWith } from './kit/open-postern.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import { look } from './kit/user-actions.ts';
import { tryEveryWayOut, tryToLeave } from './kit/try-every-way-out.ts';
import { expect, test } from './kit/window-test.ts';

/** Never resolves (RFC 6761, 6.4), and is only looked up if a check is missing. */
const domain = 'way-out.invalid';

/** First Chromium with the header that stops our pages’ DNS prefetches. */
const firstWithAllowlist = 152;

/** The channel on which electron-store, the usual settings library, would tell any page its path. */
const foreignChannel = 'electron-store-get-data';

/** Runs the whole attack in a page. Returns what the page learned about this computer. */
async function attack(page: Page, { tcp, udp }: Arrivals): Promise<string[]> {
  const learned = await page.evaluate(tryWebRtc, { tcp, udp, domain });
  const outcomes = await page.evaluate(tryEveryWayOut, { tcp, domain });
  // The attack ran: a page that may reach the listener has another outcome.
  expect(outcomes['fetch']).toContain('Failed to fetch');
  return learned;
}

/** Sends an allowed request from another session; whatever went out before it has arrived when it arrives. */
async function sendLast({ window }: RunningPostern, { tcp, log: seen }: Arrivals): Promise<string> {
  const last = `http://127.0.0.1:${tcp}/last`;
  await window.evaluate(({ BrowserWindow, session }, address) => {
    const own = session.fromPartition('last', { cache: false });
    void new BrowserWindow({ show: false, webPreferences: { session: own } }).loadURL(address).catch(() => {});
  }, last);
  await expect.poll(() => seen().join()).toContain('GET /last');
  return last;
}

/** The proxy environment variables that have an effect. */
const proxyVariables = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/** A page in the main window's session without our files, so no header protects it. */
async function openBlankPage({ window }: RunningPostern): Promise<Page> {
  await window.evaluate(async ({ BrowserWindow }) => {
    await new BrowserWindow({ show: false, webPreferences: { sandbox: true } }).loadURL('about:blank#blank');
  });
  return await window.page('about:blank#blank');
}

test.describe('a hostile script in the main window', () => {
  test('sends nothing out in any way a page has: no datagram, connection or DNS lookup (IP-04)', async ({
    openPostern,
  }) => {
    await using arrivals = await recordArrivals();
    await using later = await recordArrivals();
    const netLog = path.join(temporaryFolder(), 'net-log.json');
    const postern = await openPostern({ args: [`--log-net-log=${netLog}`] });
    const { page, popups, window } = postern;
    const at = page.url();
    const learned = await attack(page, arrivals);
    expect(learned).toEqual([]);
    expect(popups()).toEqual([]);

    // Whether Chromium or the guard blocks it first, our page remains.
    const { tcp } = arrivals;
    await window.evaluate(({ BrowserWindow }) => {
      const [main] = BrowserWindow.getAllWindows();
      const responded = new Promise((resolve) => {
        main?.webContents.once('did-fail-load', () => resolve(true));
        main?.webContents.once('will-navigate', () => resolve(true));
      });
      Object.assign(globalThis, { answered: responded });
    });
    await page.evaluate(tryToLeave, { tcp });
    expect(await window.evaluate(() => (globalThis as unknown as { answered: Promise<boolean> }).answered)).toBe(true);
    await expect.poll(() => page.url().replace('#', '')).toBe(at);
    await expect.poll(() => frameIsShown(window)).toBe(true);

    // In addition to arrivals, Chromium’s own network log so far.
    const last = await sendLast(postern, later);
    await expect.poll(() => readFileSync(netLog, 'utf8')).toContain(last);
    expect(arrivals.log()).toEqual([]);
    // Earlier versions ignore what a page says about DNS.
    const chromium = await window.evaluate(() => Number.parseInt(process.versions['chrome'] ?? '', 10));
    if (chromium < firstWithAllowlist) return;
    const lines = readFileSync(netLog, 'utf8').split('\n');
    expect(lines.filter((line) => line.includes(domain))).toEqual([]);
  });

  test('sends nothing out through an empty frame, and the window stays (IP-04)', async ({ openPostern }) => {
    await using arrivals = await recordArrivals();
    await using later = await recordArrivals();
    const { tcp, udp } = arrivals;
    const postern = await openPostern();
    const { page, window } = postern;
    await page.evaluate(() => document.body.append(document.createElement('iframe')));
    const [, frame] = page.frames();
    // Chromium may kill the page for it, which Postern then reloads.
    const learned = await frame?.evaluate(tryWebRtc, { tcp, udp, domain }).catch((error: unknown) => {
      expect(String(error)).toContain('crashed');
      return [];
    });
    expect(learned).toEqual([]);
    await sendLast(postern, later);
    expect(arrivals.log()).toEqual([]);
    await expect.poll(() => frameIsShown(window)).toBe(true);
  });

  test('sends no datagram and opens no connection from a page without our headers (IP-04)', async ({ openPostern }) => {
    await using arrivals = await recordArrivals();
    await using later = await recordArrivals();
    const postern = await openPostern();
    const { window } = postern;
    const { tcp, udp } = arrivals;
    const page = await openBlankPage(postern);
    // Without DNS, which only the header of our own pages blocks.
    const learned = await page.evaluate(tryWebRtc, { tcp, udp });
    const outcome = await page.evaluate(
      (address) => fetch(address, { mode: 'no-cors' }).then(() => 'sent', String),
      `http://127.0.0.1:${tcp}/fetch`,
    );
    expect(outcome).toContain('Failed to fetch');
    await page.evaluate((address) => {
      for (const rel of ['preconnect', 'prefetch'])
        document.head.append(Object.assign(document.createElement('link'), { rel, href: `${address}/${rel}` }));
    }, `http://127.0.0.1:${tcp}`);
    // Blocked by the guard after Chromium has begun to connect.
    await window.evaluate(({ BrowserWindow }) => {
      const asked: string[] = [];
      const blank = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().endsWith('#blank'));
      blank?.webContents.on('will-frame-navigate', ({ url }) => asked.push(new URL(url).pathname));
      Object.assign(globalThis, { asked });
    });
    await page.evaluate(tryToLeave, { tcp });
    await expect
      .poll(() => window.evaluate(() => (globalThis as unknown as { asked: string[] }).asked))
      .toEqual(expect.arrayContaining(['/leaving', '/navigate']));
    await sendLast(postern, later);
    expect(arrivals.log()).toEqual([]);
    expect(learned).toEqual([]);
  });

  test('has a dead proxy, while Postern itself uses the system’s (IP-04)', async ({ openPostern }) => {
    const env = Object.fromEntries(proxyVariables.map((name) => [name, undefined]));
    const { page, window } = await openPostern({ env });
    const answers = await window.evaluate(({ session }) =>
      Promise.all(['http://127.0.0.1/', 'https://example.com/'].map((url) => session.defaultSession.resolveProxy(url))),
    );
    expect(answers).toEqual(['PROXY 127.0.0.1:0', 'PROXY 127.0.0.1:0']);
    // As if it were the system’s proxy.
    await using arrivals = await recordArrivals();
    await window.evaluate(({ session }, proxy) => session.fromPartition('system-proxy').setProxy(proxy), {
      proxyRules: `http://127.0.0.1:${arrivals.tcp}`,
      proxyBypassRules: '<-loopback>',
    });
    await look(page, `https://mcp.${domain}/`);
    await expect.poll(() => arrivals.log().join()).toContain(`CONNECT mcp.${domain}:443`);
  });

  test('is answered only on channels of the contract, and on none as another window (IP-04, IP-06)', async ({
    openPostern,
  }) => {
    const { page, window } = await openPostern();
    // No exposed function takes a channel name, and each takes only its own input.
    const answers = await page.evaluate(async (channel) => {
      type Call = (input: unknown) => Promise<{ ok: boolean; error?: { code: string } }>;
      const { postern: bridge } = window as unknown as { postern: Record<string, Call | Record<string, Call>> };
      const made: [call: string, code: string | undefined][] = [];
      for (const [group, verbs] of Object.entries(bridge)) {
        if (typeof verbs === 'function') made.push([group, undefined]);
        else
          for (const [verb, call] of Object.entries(verbs))
            made.push([`${group}:${verb}`, (await call(channel)).error?.code]);
      }
      // By then the settings store has run.
      await (bridge['settings'] as Record<string, Call>)['update']?.({ theme: 'dark' });
      return made;
    }, foreignChannel);
    expect(Object.fromEntries(answers)).toEqual({
      onEvent: undefined,
      ...Object.fromEntries(ipcCalls.map((call) => [call, 'IPC_SCHEMA'])),
    });

    // What it would reach after escaping its world, in a window that is not registered.
    const preload = path.join(temporaryFolder(), 'preload.cjs');
    writeFileSync(
      preload,
      `const { contextBridge, ipcRenderer } = require('electron');
      contextBridge.exposeInMainWorld('invoke', (channel) => ipcRenderer.invoke(channel, {}));`,
    );
    await window.evaluate(async ({ BrowserWindow }, file) => {
      const webPreferences = { sandbox: true, preload: file };
      await new BrowserWindow({ show: false, webPreferences }).loadURL('app://postern/index.html?another');
    }, preload);
    const another = await window.page('index.html?another');
    const outcomes = await another.evaluate(
      (channels) => {
        type Invoke = (channel: string) => Promise<{ error?: { code: string } }>;
        const { invoke } = window as unknown as { invoke: Invoke };
        const outcome = (channel: string): Promise<string | undefined> =>
          invoke(channel).then(
            ({ error }) => error?.code,
            (error: unknown) => (/No handler registered/u.exec(String(error)) ?? [String(error)])[0],
          );
        return Promise.all(channels.map(outcome));
      },
      [...ipcCalls, ipcEventChannel, foreignChannel],
    );
    const nobody = 'No handler registered';
    expect(outcomes).toEqual([...ipcCalls.map(() => 'IPC_SENDER'), nobody, nobody]);

    // No other listener could respond either.
    const listenerCounts = await window.evaluate(({ ipcMain, webContents }) => {
      type Place = Pick<typeof ipcMain, 'eventNames'> & Record<string, Map<string, unknown> | undefined>;
      const channelsOf = (place: unknown): string[] => {
        const handlers = (place as Place)['handlers' in (place as Place) ? 'handlers' : '_invokeHandlers'];
        // Electron itself listens to this one so that it does not throw.
        const listeners = (place as Place).eventNames().filter((name) => name !== 'error');
        return [...(handlers?.keys() ?? ['no handlers to be found']), ...listeners.map(String)];
      };
      const pages = webContents.getAllWebContents();
      return {
        byMain: channelsOf(ipcMain),
        byPages: pages.flatMap(({ ipc, mainFrame }) => [...channelsOf(ipc), ...channelsOf(mainFrame.ipc)]),
        byAll: pages.map((contents) => ['ipc-message', 'ipc-message-sync'].map((name) => contents.listenerCount(name))),
      };
    });
    expect(listenerCounts.byMain.toSorted()).toEqual([...ipcCalls].toSorted());
    expect(listenerCounts.byPages).toEqual([]);
    expect(listenerCounts.byAll.flat()).toEqual(listenerCounts.byAll.flatMap(() => [0, 0]));
  });

  test('deletes nothing without consent given outside the page (IP-04)', async ({ openPostern }) => {
    const profile = profileWith(3);
    const file = path.join(profile, 'config.json');
    const before = readFileSync(file, 'utf8');
    const postern = await openPostern({ profile });
    await answerQuestions(postern, 'no');
    const answers = await postern.page.evaluate(async () => {
      type Call = (input: unknown) => Promise<unknown>;
      const { postern: bridge } = window as unknown as { postern: Record<string, Record<string, Call>> };
      const destroy = [
        ['storage', 'deleteEverything', {}],
        ['integration', 'remove', { ids: ['server-1'] }],
      ] as const;
      const made: unknown[] = [];
      for (const [group, verb, input] of destroy) made.push(await bridge[group]?.[verb]?.(input));
      return made;
    });
    expect(answers).toEqual(Array.from({ length: 2 }, () => ({ ok: true, value: null })));
    expect(await questionsAsked(postern)).toHaveLength(2);
    const listed = (text: string) => (JSON.parse(text) as { integrations: unknown[] }).integrations;
    expect(listed(readFileSync(file, 'utf8'))).toEqual(listed(before));
  });
});

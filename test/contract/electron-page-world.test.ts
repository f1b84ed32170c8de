import { beforeAll, describe, expect, it } from 'vitest';
import { openElectronFixture } from '../support/electron-fixture.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/** What a page gets on Electron and on the stand-in: the windows that it is denied, its user agent, permissions. */
let site: LoopbackServer;
let running: RunningWindow;

beforeAll(async () => {
  const fixture = await openElectronFixture((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<p id="agent">${request.headers['user-agent']}</p><iframe name="inner" src="about:blank"></iframe>`);
  });
  ({ site, running } = fixture);
  return fixture.close;
});

/**
 * Runs code in a page of the site whose windows are all denied. Returns its result and the app's requests, of which
 * it awaits `times`: Chromium submits a form after the code that requests it.
 */
const runInPage = (code: string, times = 0): Promise<{ result: unknown; messages: unknown[] }> =>
  running.evaluate(
    async ({ BrowserWindow }, { url, script, least }) => {
      const isRequested = Promise.withResolvers<void>();
      const window = new BrowserWindow({ show: false, webPreferences: { partition: 'page-world' } });
      const messages: unknown[] = [];
      window.webContents.setWindowOpenHandler(({ url: to, frameName, features, disposition }) => {
        messages.push([to, frameName, features, disposition]);
        if (messages.length === least) isRequested.resolve();
        return { action: 'deny' };
      });
      await window.loadURL(url);
      const result = (await window.webContents.executeJavaScript(script, true)) as unknown;
      // Requests of frames only.
      await window.webContents.executeJavaScript('0');
      if (least > 0) await isRequested.promise;
      window.destroy();
      return { result, messages };
    },
    { url: `${site.origin}/`, script: code, least: times },
  );

describe(`what a page gets, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  it.each([
    ["'/a'", ['/a', '', '', 'foreground-tab']],
    ["'/a', 'name'", ['/a', 'name', '', 'foreground-tab']],
    ["'/a', '_blank', 'noopener'", ['/a', '', 'noopener', 'foreground-tab']],
    ["'/a', '_blank', 'width=300,height=200'", ['/a', '', 'width=300,height=200', 'new-window']],
    ["'/a', '_blank', 'popup'", ['/a', '', 'popup', 'new-window']],
    ["'/a', '_blank', 'popup=no'", ['/a', '', 'popup=no', 'foreground-tab']],
    ["'/a', '_blank', 'menubar=yes'", ['/a', '', 'menubar=yes', 'new-window']],
    [
      "'/a', '_blank', 'toolbar,menubar,scrollbars,status'",
      ['/a', '', 'toolbar,menubar,scrollbars,status', 'foreground-tab'],
    ],
    ['', ['about:blank', '', '', 'foreground-tab']],
    ["'javascript:1'", ['about:blank', '', '', 'foreground-tab']],
  ])('is null for a window that is denied: window.open(%s)', async (words, [url = '', ...rest]) => {
    const { result, messages } = await runInPage(`window.open(${words}) === null`);
    expect(result).toBe(true);
    expect(messages).toEqual([[url.startsWith('/') ? `${site.origin}${url}` : url, ...rest]]);
  });

  it('is null for a frame inside, too', async () => {
    expect(await runInPage(`frames[0].open('/a') === null`)).toMatchObject({ result: true });
  });

  it('is an existing frame, for its name', async () => {
    expect(await runInPage(`window.open('about:blank#x', 'inner') === frames[0]`)).toEqual({
      result: true,
      messages: [],
    });
  });

  it('requests windows for links and forms as Chromium does', async () => {
    const { messages } = await runInPage(
      `const link = document.createElement('a'); link.href = '/tab'; link.target = '_blank';
      const form = document.createElement('form'); form.action = '/form'; form.target = '_blank';
      document.body.append(link, form); link.click(); form.submit(); 0`,
      2,
    );
    expect(messages).toEqual([
      [`${site.origin}/tab`, '', '', 'foreground-tab'],
      [`${site.origin}/form?`, '', '', 'foreground-tab'],
    ]);
  });

  it('names app, Chromium and Electron in its user agent, to the page and to the server', async () => {
    const { result } = await runInPage(
      `[navigator.userAgent, document.getElementById('agent').textContent, navigator.userAgentData?.brands.length]`,
    );
    const { chrome, electron } = await running.evaluate(() => ({ ...process.versions }) as Record<string, string>);
    const name = new RegExp(
      String.raw`^Mozilla/5\.0 \(.+\) AppleWebKit/537\.36 \(KHTML, like Gecko\) ElectronContract/3\.2\.1 Chrome/${chrome} Electron/${electron} Safari/537\.36$`,
    );
    expect(result).toEqual([expect.stringMatching(name), expect.stringMatching(name), 2]);
  });

  it('is refused what a handler refuses that was set after it had loaded', async () => {
    const states = await running.evaluate(async ({ BrowserWindow, session }, url) => {
      const own = session.fromPartition('late');
      const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
      await window.loadURL(url);
      const query = (): Promise<unknown> =>
        window.webContents.executeJavaScript(
          `Promise.all(['geolocation', 'notifications', 'camera'].map((name) =>
            navigator.permissions.query({ name }).then(({ state }) => state)))`,
        );
      const before = await query();
      own.setPermissionCheckHandler(() => false);
      const after = await query();
      window.destroy();
      return { before, after };
    }, site.origin);
    expect(states).toEqual({ before: Array(3).fill('granted'), after: Array(3).fill('denied') });
  });

  it('reveals nothing about an error in a scheme handler, nor does the loader', async () => {
    const events = await running.evaluate(async ({ BrowserWindow, session }) => {
      const own = session.fromPartition('throwing');
      own.protocol.handle('app', () => {
        throw new Error('a secret');
      });
      const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
      const load = await window
        .loadURL('app://contract/')
        .catch(({ code, errno }: Record<string, unknown>) => [code, errno]);
      const fetched = await own.fetch('app://contract/').catch((error: Error) => error.message);
      window.destroy();
      return { load, fetched };
    });
    expect(events).toEqual({ load: ['ERR_UNEXPECTED', -9], fetched: 'net::ERR_UNEXPECTED' });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { openElectronFixture } from '../support/electron-fixture.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/** What Electron's own specs say (electron/electron, spec/*.ts) and a stand-in easily gets wrong. */
let site: LoopbackServer;
let running: RunningWindow;

beforeAll(async () => {
  const fixture = await openElectronFixture((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid');
    if (pathname === '/hop') return response.writeHead(302, { location: '/there' }).end();
    // Never gets a response.
    if (pathname === '/silent') return;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>');
  });
  ({ site, running } = fixture);
  await running.evaluate(() => {
    const attempt = (run: () => unknown): string => {
      try {
        return typeof run();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const outcome = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => 'done',
        ({ code, errno, message }: Record<string, unknown>) => (code === undefined ? message : [code, errno]),
      );
    Object.assign(globalThis, { attempt, outcome });
  });
  return fixture.close;
});

interface Helped {
  readonly attempt: (run: () => unknown) => string;
  /** `done`, an error's message, or name and number of a failed load. */
  readonly outcome: (promise: Promise<unknown>) => Promise<unknown>;
}

describe(`what Electron's specs say, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  describe('a custom scheme', () => {
    it('has complete URLs without a port, everywhere', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }) => {
        const { outcome } = globalThis as unknown as Helped;
        const own = session.fromPartition('spec-addresses');
        const requests: string[] = [];
        own.protocol.handle('app', ({ url }) => {
          requests.push(url);
          return new Response('<title>spec</title>', { headers: { 'content-type': 'text/html' } });
        });
        await own.fetch('app://foo');
        await own.fetch('app://foo/bar?a=1');
        const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
        await window.loadURL('app://foo');
        const at = [window.webContents.getURL()];
        await window.loadURL('app://foo:1234/port');
        at.push(window.webContents.getURL());
        window.destroy();
        return { requests, at, empty: await outcome(own.fetch('app://')) };
      });
      expect(events).toEqual({
        requests: ['app://foo/', 'app://foo/bar?a=1', 'app://foo/', 'app://foo/port'],
        at: ['app://foo/', 'app://foo/port'],
        empty: expect.stringContaining('Invalid URL'),
      });
    });

    it('has the status and the headers of its response, including its policy', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }) => {
        const own = session.fromPartition('spec-buffers');
        own.protocol.registerBufferProtocol('app', ({ url, method }, callback) => {
          if (url.endsWith('/gone')) return callback({ statusCode: 404, data: Buffer.from('Not found') });
          const headers = {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': "script-src 'none'",
          };
          return callback({
            data: Buffer.from(`<title>${method} ä</title><script>document.title = 'ran'</script>`),
            headers,
          });
        });
        const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
        await window.loadURL('app://foo/');
        const title = window.webContents.getTitle();
        const gone = (await window.webContents.executeJavaScript(
          `fetch('app://foo/gone').then(async (response) => [response.status, await response.text()])`,
        )) as unknown;
        window.destroy();
        return { title, gone };
      });
      expect(events).toEqual({ title: 'GET ä', gone: [404, 'Not found'] });
    });

    it('fails without revealing a reason, whatever its handler returns', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }) => {
        const { outcome } = globalThis as unknown as Helped;
        const answers: Readonly<Record<string, () => unknown>> = {
          refused: () => Response.error(),
          nothing: () => ({ status: [] }),
          throws: () => {
            throw new Error('a secret');
          },
        };
        const ends: Record<string, unknown> = {};
        for (const [name, respond] of Object.entries(answers)) {
          const own = session.fromPartition(`spec-fails-${name}`);
          own.protocol.handle('app', () => respond() as Response);
          const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
          ends[name] = [await outcome(own.fetch('app://foo/')), await outcome(window.loadURL('app://foo/'))];
          window.destroy();
        }
        return ends;
      });
      const unexpected = ['net::ERR_UNEXPECTED', ['ERR_UNEXPECTED', -9]];
      expect(events).toEqual({
        refused: ['net::ERR_FAILED', ['ERR_FAILED', -2]],
        nothing: unexpected,
        throws: unexpected,
      });
    });

    it('is served only by its handler, as long as there is one', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }) => {
        const { attempt, outcome } = globalThis as unknown as Helped;
        const own = session.fromPartition('spec-unhandled');
        const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
        const before = await outcome(window.loadURL('app://nobody/'));
        const unhandled = attempt(() => own.protocol.unhandle('app'));
        own.protocol.handle('app', () => new Response('here'));
        const meanwhile = await outcome(window.loadURL('app://nobody/'));
        own.protocol.unhandle('app');
        const after = await outcome(window.loadURL('app://nobody/'));
        window.destroy();
        return { before, unhandled: unhandled === 'undefined' ? 'accepted' : 'refused', meanwhile, after };
      });
      const failed = ['ERR_FAILED', -2];
      expect(events).toEqual({ before: failed, unhandled: 'refused', meanwhile: 'done', after: failed });
    });

    it('is fetched by its own pages under its complete URL', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }) => {
        const own = session.fromPartition('spec-fetch');
        own.protocol.handle(
          'app',
          ({ url, method }) =>
            new Response(`${method} ${url}`, {
              headers: { 'content-type': url.endsWith('/') ? 'text/html' : 'text/plain' },
            }),
        );
        const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
        await window.loadURL('app://foo/');
        const answers = (await window.webContents.executeJavaScript(`Promise.all([
          fetch('app://foo/a'), fetch(new URL('app://foo/b')), fetch('c', { method: 'POST', body: 'x' }),
          fetch(new Request('app://foo/d'))].map((asked) => asked.then((response) => response.text())))`)) as unknown;
        window.destroy();
        return answers;
      });
      expect(events).toEqual(['GET app://foo/a', 'GET app://foo/b', 'POST app://foo/c', 'GET app://foo/d']);
    });
  });

  describe('loads', () => {
    it('fail for an unknown scheme, without any network request', async () => {
      const events = await running.evaluate(async ({ BrowserWindow }) => {
        const { outcome } = globalThis as unknown as Helped;
        const window = new BrowserWindow({ show: false, webPreferences: { partition: 'spec-scheme' } });
        const ends = [
          await outcome(window.loadURL('bad-scheme://')),
          await outcome(window.loadURL('bad-scheme://foo')),
        ];
        window.destroy();
        return ends;
      });
      const failed = ['ERR_FAILED', -2];
      expect(events).toEqual([failed, failed]);
    });

    it('are replaced by the next one, which continues', async () => {
      const events = await running.evaluate(async ({ BrowserWindow }, origin) => {
        const { outcome } = globalThis as unknown as Helped;
        const window = new BrowserWindow({ show: false, webPreferences: { partition: 'spec-replaced' } });
        const first = outcome(window.loadURL(`${origin}/silent`));
        const second = outcome(window.loadURL(`${origin}/next`));
        const ends = [await first, await second, window.webContents.getURL()];
        window.destroy();
        return ends;
      }, site.origin);
      expect(events).toEqual([['ERR_ABORTED', -3], 'done', `${site.origin}/next`]);
    });

    it('of a page that is redirected emit events in one order', async () => {
      const events = await running.evaluate(async ({ BrowserWindow }, origin) => {
        const window = new BrowserWindow({ show: false, webPreferences: { partition: 'spec-order' } });
        const { webContents } = window;
        await window.loadURL(`${origin}/start`);
        const order: string[] = [];
        const finished = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
        for (const name of [
          'did-start-navigation',
          'will-frame-navigate',
          'will-navigate',
          'will-redirect',
          'did-redirect-navigation',
          'did-frame-navigate',
          'did-navigate',
          'did-finish-load',
        ])
          webContents.on(name as 'did-navigate', () => void order.push(name));
        await webContents.executeJavaScript("location.href = '/hop'; 0", true);
        await finished;
        window.destroy();
        return order;
      }, site.origin);
      expect(events).toEqual([
        'did-start-navigation',
        'will-frame-navigate',
        'will-navigate',
        'will-redirect',
        'did-redirect-navigation',
        'did-frame-navigate',
        'did-navigate',
        'did-finish-load',
      ]);
    });
  });

  it('preferences include defaults', async () => {
    const events = await running.evaluate(({ BrowserWindow }) => {
      const read = (webPreferences: object): unknown[] => {
        const window = new BrowserWindow({ show: false, webPreferences });
        const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
        const last = contents.getLastWebPreferences();
        window.destroy();
        return [last['javascript'], last['disableDialogs'] ?? false];
      };
      return [read({}), read({ disableDialogs: true })];
    });
    expect(events).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it('a sandboxed preload has what Electron provides, and no Node module that could reach out', async () => {
    const events = await running.evaluate(async ({ BrowserWindow, ipcMain }) => {
      const { mkdtempSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
      const { tmpdir } = process.getBuiltinModule('node:os');
      const { join } = process.getBuiltinModule('node:path');
      const folder = mkdtempSync(join(tmpdir(), 'postern-preload-'));
      const preload = join(folder, 'preload.cjs');
      writeFileSync(
        preload,
        `const attempt = (run) => { try { return typeof run(); } catch (error) { return error.message.split('\\n')[0]; } };
        const told = [() => Buffer, () => setImmediate, () => require('electron'), () => require('events'),
          () => require('timers'), () => require('url'), () => require('fs'), () => require('path')].map(attempt);
        setImmediate(() => require('electron').ipcRenderer.send('told', told));`,
      );
      const received = new Promise((resolve) => ipcMain.once('told', (_event, message: unknown) => resolve(message)));
      const window = new BrowserWindow({ show: false, webPreferences: { preload } });
      await window.loadURL('app://contract/index.html');
      const message = await received;
      window.destroy();
      rmSync(folder, { recursive: true });
      return message as string[];
    });
    const there = ['function', 'function', 'object', 'function', 'object', 'object'];
    expect(events.slice(0, 6).map((kind, index) => (kind.startsWith('not emulated: ') ? there[index] : kind))).toEqual(
      there,
    );
    expect(events.slice(6)).toEqual([expect.stringMatching(/\bfs\b/), expect.stringMatching(/\bpath\b/)]);
  });

  it('permissions are requested with their origin, and decided by handlers that were set late', async () => {
    const events = await running.evaluate(async ({ BrowserWindow, session }, url) => {
      const own = session.fromPartition('spec-permissions');
      const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
      await window.loadURL(url);
      const checked: [string, string][] = [];
      const requested: string[] = [];
      own.setPermissionCheckHandler((_contents, permission, origin) => {
        checked.push([permission, new URL(origin).origin]);
        return false;
      });
      own.setPermissionRequestHandler((_contents, permission, callback) => {
        requested.push(permission);
        callback(false);
      });
      const answers = (await window.webContents.executeJavaScript(
        `Promise.all([navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
          Notification.requestPermission()])`,
        true,
      )) as unknown;
      window.destroy();
      return {
        answers,
        checked: checked.find(([permission]) => permission === 'geolocation'),
        requested: requested.includes('notifications'),
      };
    }, `${site.origin}/`);
    expect(events).toEqual({
      answers: ['denied', 'denied'],
      checked: ['geolocation', site.origin],
      requested: true,
    });
  });

  it('a utility process is refused with invalid streams', async () => {
    const events = await running.evaluate(({ utilityProcess, app }) => {
      const { attempt } = globalThis as unknown as Helped;
      const file = `${app.getAppPath()}/utility.cjs`;
      return [
        attempt(() => utilityProcess.fork(file, [], { stdio: 'unknown' as never })),
        attempt(() => utilityProcess.fork(file, [], { stdio: ['ignore', 'nowhere'] as never })),
      ];
    });
    expect(events[0]).toContain('stdio must be of the following');
    expect(events[1]).not.toBe('object');
  });

  it('folders with unknown names can be neither read nor set', async () => {
    const events = await running.evaluate(({ app }) => {
      const { attempt } = globalThis as unknown as Helped;
      return [
        attempt(() => app.getPath('does-not-exist' as never)),
        attempt(() => app.setPath('does-not-exist', '/tmp')),
      ];
    });
    expect(events.every((event) => !['string', 'undefined'].includes(event))).toBe(true);
  });
});

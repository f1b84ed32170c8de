import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureApp, openElectronFixture } from '../support/electron-fixture.ts';
import { launchWindow } from '../support/launch-window.ts';
import type { ElectronModule, RunningWindow } from '../support/launch-window.ts';
import { serveHttp } from '../support/loopback-server.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/**
 * The part of Electron that the window uses, as its documentation describes it. It runs on Electron if that is
 * installed, and on the stand-in elsewhere, so that a difference between the two is noticed.
 */
interface Seen {
  readonly what: string;
  readonly [detail: string]: unknown;
}

let folder: string;
let site: LoopbackServer;
let running: RunningWindow;
let page: Page;

beforeAll(async () => {
  const respond: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.invalid');
    const to = url.searchParams.get('to');
    if (to !== null) return response.writeHead(302, { location: to }).end();
    if (url.pathname === '/locked')
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end('refused');
    if (url.pathname === '/file')
      return response.writeHead(200, { 'content-disposition': 'attachment; filename="a.txt"' }).end('a file');
    if (url.pathname === '/none') return response.writeHead(204).end();
    if (url.pathname === '/stay')
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<script>onbeforeunload = () => false</script>');
    const cookie = request.headers.cookie ?? '';
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'visited=yes' });
    response.end(
      `<title>${url.pathname}</title><p id="cookie">${cookie}</p><a href="/linked">link</a><iframe src="about:blank"></iframe>`,
    );
  };
  const fixture = await openElectronFixture(respond, ['first']);
  ({ folder, site, running, page } = fixture);
  return fixture.close;
});

const seen = (what: string): Promise<Seen[]> =>
  running.evaluate(
    (_, wanted) => (globalThis as unknown as { seen: Seen[] }).seen.filter((one) => one.what === wanted),
    what,
  );
/** Code for the page's own world, which has what the preload exposed. */
const inPage = (code: string): Promise<unknown> => page.evaluate(code);

/** Waits for a condition in the page, whose policy forbids evaluating text as Playwright's own wait does. */
const untilPage = (condition: string): Promise<unknown> =>
  inPage(
    `new Promise((resolve) => { const check = () => (${condition}) ? resolve(0) : setTimeout(check, 5); check() })`,
  );

describe(`the part of Electron that the window uses, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  describe('app', () => {
    it('takes name and version from package.json, and userData from the command line', async () => {
      const facts = await running.evaluate(({ app }) => [
        app.name,
        app.getVersion(),
        app.getPath('userData'),
        app.getPath('logs').startsWith(app.getPath('userData')) || process.platform === 'darwin',
        app.isPackaged,
        app.isReady(),
        app.getAppPath(),
        typeof process.versions['electron'],
        app.commandLine.hasSwitch('user-data-dir'),
      ]);
      expect(facts).toEqual([
        'Electron Contract',
        '3.2.1',
        path.join(folder, 'profile'),
        true,
        false,
        true,
        fixtureApp,
        'string',
        true,
      ]);
    });

    it('has an icon for each file, as PNG, although without one of the system it is empty', async () => {
      const file = path.join(folder, 'program.exe');
      await writeFile(file, 'MZ');
      const icon = await running.evaluate(
        ({ app }, program) =>
          app.getFileIcon(program, { size: 'large' }).then(
            (image) => [typeof image.isEmpty(), image.toPNG() instanceof Buffer] as const,
            (error: Error) => error.message,
          ),
        file,
      );
      expect(icon).toEqual(['boolean', true]);
    });

    it('allows one instance per profile, and notifies it of a second start', async () => {
      const requests = await running.evaluate(({ app }) => app.hasSingleInstanceLock());
      expect(requests).toBe(true);
      const second = running.evaluate(
        ({ app }) =>
          new Promise((resolve) => {
            app.once('second-instance', (_event, argv, workingDirectory, data) =>
              resolve({ last: argv.at(-1), workingDirectory, data }),
            );
          }),
      );
      const other = launchWindow({ app: fixtureApp, profile: path.join(folder, 'profile'), args: ['second'] });
      const isOver = other.then(
        (started) => started.ended,
        () => 'ended before it had a window',
      );
      expect(await second).toEqual({ last: 'second', workingDirectory: process.cwd(), data: { asks: 'who is there' } });
      expect([0, 'ended before it had a window']).toContain(await isOver);
    });

    it('quits in order: before-quit, close, closed, will-quit, quit; and stays where before-quit is prevented', async () => {
      const profile = path.join(folder, 'quitting');
      await using quitting = await launchWindow({ app: fixtureApp, profile });
      await quitting.page('app://contract/index.html');
      const file = path.join(folder, 'order');
      const remaining = await quitting.evaluate(async ({ app, BrowserWindow }, target) => {
        const { appendFileSync } = process.getBuiltinModule('node:fs');
        const [window] = BrowserWindow.getAllWindows();
        const note = (name: string): void => appendFileSync(target, `${name} `);
        app.once('before-quit', (event) => event.preventDefault());
        app.quit();
        await new Promise((resolve) => setImmediate(resolve));
        const stays = window?.isDestroyed() === false;
        app.on('before-quit', () => note('before-quit'));
        window?.on('close', () => note('close'));
        window?.on('closed', () => note('closed'));
        app.on('will-quit', () => note('will-quit'));
        app.on('quit', (_event, code) => note(`quit:${code}`));
        return stays;
      }, file);
      expect(remaining).toBe(true);
      await quitting.evaluate(({ app }) => void setImmediate(() => app.quit()));
      expect(await quitting.ended).toBe(0);
      expect(await readFile(file, 'utf8')).toBe('before-quit close closed will-quit quit:0 ');
    });
  });

  describe('preload and page', () => {
    it('exposes the preload to the page before its first script, and nothing else', async () => {
      expect(await inPage('window.hadContractAtFirst')).toBe(true);
      expect(await inPage('[typeof require, typeof process, typeof module, typeof ipcRenderer]')).toEqual(
        Array(4).fill('undefined'),
      );
      expect(await inPage('[contract.told, contract.sandboxed]')).toEqual(['--told=by-main', true]);
    });

    it('copies data across the bridge, frozen', async () => {
      expect(await inPage('contract.data')).toEqual({ numbers: [1, 2, 3], nothing: null });
      expect(await inPage(`Object.isFrozen(contract) && Object.isFrozen(contract.data.numbers)`)).toBe(true);
      expect(await inPage(`(() => { try { contract.add = 1 } catch {} return typeof contract.add })()`)).toBe(
        'function',
      );
    });

    it('calls functions across the bridge: sync, async, with errors and with callbacks', async () => {
      expect(await inPage('contract.add(20, 22)')).toBe(42);
      expect(await inPage('contract.later({ deep: [1, "two"] })')).toEqual({ value: { deep: [1, 'two'] } });
      expect(await inPage('(() => { try { contract.refuse() } catch (error) { return error.message } })()')).toContain(
        'refused by the preload',
      );
      expect(
        await inPage('new Promise((resolve) => { contract.on("noted", resolve); contract.note({ x: 1 }) })'),
      ).toEqual({
        x: 1,
      });
    });
  });

  describe('IPC', () => {
    it('carries what structured clone carries: undefined, dates, nested data', async () => {
      expect(
        await inPage(`contract.invoke('echo', 1, undefined, { when: new Date(0), gone: undefined }).then((values) => [
          values.length, values[1] === undefined, values[2].when instanceof Date, 'gone' in values[2] ])`),
      ).toEqual([3, true, true, true]);
    });

    it('carries a key called __proto__ like any other', async ({ skip }) => {
      const version = await running.evaluate(() => Number.parseInt(process.versions['electron'] ?? '', 10));
      skip(version < 45, 'the bridge of an older Electron loses it');
      expect(
        await inPage(`contract.invoke('echo', JSON.parse('{"__proto__": {"x": 1}, "text": "\\u2028"}')).then(
        ([value]) => [Object.keys(value), value.text])`),
      ).toEqual([['__proto__', 'text'], '\u2028']);
    });

    it('identifies the sender to the handler', async () => {
      const id = await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.id);
      expect(await inPage('contract.invoke("who")')).toEqual({
        id,
        url: 'app://contract/index.html',
        origin: 'app://contract',
        isMainFrame: true,
      });
    });

    it('returns the text of an error, without its properties', async () => {
      const failure = `contract.invoke('fail').catch((error) => [error.message, error.code])`;
      expect(await inPage(failure)).toEqual([
        expect.stringContaining("Error invoking remote method 'fail': TypeError: no such thing"),
        undefined,
      ]);
      const unknown = `contract.invoke('nobody').catch((error) => error.message)`;
      expect(await inPage(unknown)).toContain("No handler registered for 'nobody'");
    });

    it('sends to the page in order, until the page stops listening', async () => {
      await inPage('window.heard = []; window.stop = contract.on("count", (n) => heard.push(n)); 0');
      await running.evaluate(({ BrowserWindow }) => {
        for (const n of [1, 2, 3]) BrowserWindow.getAllWindows()[0]?.webContents.send('count', n);
      });
      await untilPage('heard.length === 3');
      await inPage('stop(); contract.invoke("echo")');
      await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.send('count', 4));
      await inPage('contract.invoke("echo")');
      expect(await inPage('heard')).toEqual([1, 2, 3]);
    });

    it('sends nothing that cannot be cloned, and does not throw', async () => {
      const thrown = await running.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        return [() => contents?.send('count', () => {}), () => contents?.send(null as never)].map((run) => {
          try {
            run();
            return 'sent';
          } catch (error) {
            return (error as Error).message;
          }
        });
      });
      expect(thrown).toEqual(['sent', expect.stringContaining('Missing required channel argument')]);
    });

    it('works again after the page has been reloaded', async () => {
      await inPage('window.old = true');
      const loaded = page.waitForEvent('load');
      await running.evaluate(
        ({ BrowserWindow }) =>
          new Promise<void>((resolve) => {
            const contents = BrowserWindow.getAllWindows()[0]?.webContents;
            contents?.once('did-finish-load', () => resolve());
            contents?.reload();
          }),
      );
      await loaded;
      expect(await inPage('window.old')).toBeUndefined();
      expect(await inPage('contract.add(1, 1)')).toBe(2);
      expect(await inPage('contract.invoke("echo", "again")')).toEqual(['again']);
    });

    it('refuses a second handler for a channel', async () => {
      const message = await running.evaluate(({ ipcMain }) => {
        try {
          ipcMain.handle('echo', () => 0);
          return 'accepted';
        } catch (error) {
          return (error as Error).message;
        }
      });
      expect(message).toContain("second handler for 'echo'");
    });
  });

  describe('a custom scheme', () => {
    it('is a secure origin, served only by the app', async () => {
      expect(await inPage('[isSecureContext, document.title]')).toEqual([true, 'Contract page']);
      expect(await inPage('fetch("/asked?a=1").then((response) => response.json())')).toEqual({
        url: 'app://contract/asked?a=1',
      });
      expect(await inPage('fetch("/missing").then((response) => response.status)')).toBe(404);
    });

    it('enforces the Content Security Policy of its responses', async () => {
      expect(await inPage(`fetch('${site.origin}/').catch(() => 'refused')`)).toBe('refused');
      expect(
        await inPage(`(() => { const script = document.createElement('script'); script.textContent = 'window.inline = true';
          document.head.append(script); return typeof window.inline })()`),
      ).toBe('undefined');
    });

    it('must be registered before the app is ready', async () => {
      const refusal = running.evaluate(({ protocol }) => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }]));
      await expect(refusal).rejects.toThrow(/before app is ready/);
    });
  });

  describe('navigation', () => {
    /**
     * Opens a page of the site in a window of its own, lets it run a script, and returns what the guards were asked.
     */
    function visit(script: string, refuse: readonly string[] = [], start = '/start'): Promise<unknown> {
      return running.evaluate(
        async ({ BrowserWindow, session }, { url, script: code, refused, partition }) => {
          const window = new BrowserWindow({
            show: false,
            webPreferences: { session: session.fromPartition(partition) },
          });
          const events: string[] = [];
          const { webContents } = window;
          const settled = Promise.withResolvers<void>();
          const guard = (name: string) => (details: { url: string; isMainFrame: boolean; preventDefault(): void }) => {
            events.push(`${name} ${details.url}`);
            if (!refused.includes(name)) return;
            details.preventDefault();
            setImmediate(settled.resolve);
          };
          await webContents.loadURL(url).catch((error: { code: string }) => events.push(`failed ${error.code}`));
          webContents.on('will-navigate', guard('will-navigate'));
          webContents.on('will-redirect', guard('will-redirect'));
          webContents.on('will-frame-navigate', (details) => {
            if (!details.isMainFrame) guard('will-frame-navigate')(details);
          });
          webContents.setWindowOpenHandler(({ url: wanted }) => {
            events.push(`window-open ${wanted}`);
            setImmediate(settled.resolve);
            return { action: 'deny' };
          });
          webContents.on('did-navigate', (_event, to) => {
            events.push(`did-navigate ${to}`);
            settled.resolve();
          });
          webContents.on('did-fail-load', (_event, error, description, _url, isMainFrame) => {
            if (isMainFrame) events.push(`did-fail-load ${description} ${error}`);
            settled.resolve();
          });
          const windows = BrowserWindow.getAllWindows().length;
          await webContents.executeJavaScript(`${code}; 0`, true);
          await settled.promise;
          const at = webContents.getURL();
          const opened = BrowserWindow.getAllWindows().length - windows;
          window.destroy();
          return { events, at, opened };
        },
        { url: `${site.origin}${start}`, script, refused: refuse, partition: `visit-${Math.random()}` },
      );
    }
    const at = (where: string): string => `${site.origin}${where}`;

    it('asks before a page navigates, and allows it', async () => {
      expect(await visit(`location.href = '/next'`)).toEqual({
        events: [`will-navigate ${at('/next')}`, `did-navigate ${at('/next')}`],
        at: at('/next'),
        opened: 0,
      });
    });

    it('asks before a page navigates, and can keep it where it was', async () => {
      expect(await visit(`location.href = '/next'`, ['will-navigate'])).toMatchObject({
        events: [`will-navigate ${at('/next')}`],
        at: at('/start'),
      });
    });

    it('asks before a redirect is followed, even to another app', async () => {
      const other = '/hop?to=other-program%3Astart';
      expect(await visit(`location.href = '/hop?to=/next'`)).toMatchObject({ at: at('/next') });
      expect(await visit(`location.href = '/hop?to=/next'`, ['will-redirect'])).toMatchObject({
        events: [`will-navigate ${at('/hop?to=/next')}`, `will-redirect ${at('/next')}`],
        at: at('/start'),
      });
      expect(await visit(`location.href = '${other}'`, ['will-redirect'])).toMatchObject({
        events: [`will-navigate ${at(other)}`, 'will-redirect other-program:start'],
        at: at('/start'),
      });
    });

    it('asks before a link leads to another app', async () => {
      expect(await visit(`location.href = 'other-program:start'`, ['will-navigate'])).toMatchObject({
        events: ['will-navigate other-program:start'],
        at: at('/start'),
      });
    });

    it('asks before a frame inside a page navigates', async () => {
      expect(await visit(`frames[0].location.href = '/inner'`, ['will-frame-navigate'])).toMatchObject({
        events: [`will-frame-navigate ${at('/inner')}`],
        at: at('/start'),
      });
    });

    it('asks before a page opens a window, and can open none', async () => {
      expect(await visit(`window.open('/window')`)).toMatchObject({
        events: [`window-open ${at('/window')}`],
        at: at('/start'),
        opened: 0,
      });
      expect(
        await visit(
          `const a = document.createElement('a'); a.href = '/tab'; a.target = '_blank'; document.body.append(a); a.click()`,
        ),
      ).toMatchObject({ events: [`window-open ${at('/tab')}`], opened: 0 });
    });

    it('asks before a click with a modifier key opens a window or a tab', async () => {
      await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ webPreferences: { session: session.fromPartition('clicks') } });
        const events: string[] = [];
        const done = Promise.withResolvers<void>();
        window.webContents.setWindowOpenHandler(({ url: wanted, disposition }) => {
          events.push(`${wanted} ${disposition}`);
          if (events.length === 3) done.resolve();
          return { action: 'deny' };
        });
        const finish = async (): Promise<string[]> => {
          await done.promise;
          window.destroy();
          return events;
        };
        Object.assign(globalThis, { finish });
        await window.loadURL(url);
      }, at('/clicks'));
      const clicked = await running.page('/clicks');
      const link = clicked.getByRole('link');
      await link.click({ modifiers: ['ControlOrMeta'] });
      await link.click({ button: 'middle' });
      await link.click({ modifiers: ['Shift'] });
      const requests = await running.evaluate(() =>
        (globalThis as unknown as { finish(): Promise<string[]> }).finish(),
      );
      expect(requests).toEqual([
        `${at('/linked')} background-tab`,
        `${at('/linked')} background-tab`,
        `${at('/linked')} new-window`,
      ]);
      expect(running.pages().map((one) => one.url())).not.toContain(at('/linked'));
    });

    it('notifies the session of a download, which can refuse it', async () => {
      const events = await running.evaluate(
        async ({ BrowserWindow, session }, { start, file }) => {
          const own = session.fromPartition('downloads');
          const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
          const begun = new Promise((resolve) =>
            own.once('will-download', (event, item, contents) => {
              event.preventDefault();
              resolve([item.getURL(), item.getFilename(), contents === window.webContents]);
            }),
          );
          await window.loadURL(start);
          await window.webContents.executeJavaScript(`location.href = ${JSON.stringify(file)}; 0`, true);
          const facts = await begun;
          const currentUrl = window.webContents.getURL();
          window.destroy();
          return { facts, currentUrl };
        },
        { start: at('/start'), file: at('/file') },
      );
      expect(events).toEqual({ facts: [at('/file'), 'a.txt', true], currentUrl: at('/start') });
    });

    it('does not ask about what the app itself loads', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('own') } });
        const requests: string[] = [];
        window.webContents.on('will-navigate', (details) => requests.push(details.url));
        // Until then a load within the page is one that failed.
        const isStill = new Promise<void>((resolve) => window.webContents.once('did-stop-loading', () => resolve()));
        await window.loadURL(url);
        await isStill;
        await window.loadURL(`${url}#part`);
        const currentUrl = window.webContents.getURL();
        window.destroy();
        return [requests, currentUrl];
      }, at('/own'));
      expect(events).toEqual([[], at('/own#part')]);
    });

    it('rejects an in-page load that begins before the last load has stopped', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('part') } });
        const { webContents } = window;
        const isThere = (): Promise<void> =>
          new Promise((resolve) =>
            webContents.once('did-navigate-in-page', () => webContents.once('did-stop-loading', () => resolve())),
          );
        const load = (part: string): Promise<unknown> =>
          window.loadURL(`${url}${part}`).then(
            () => 'loaded',
            ({ code, errno }: { code: string; errno: number }) => [code, errno],
          );
        let documents = 0;
        webContents.on('did-finish-load', () => (documents += 1));
        await load('');
        const arrived = isThere();
        const loads = [[webContents.isLoading(), await load('#a')]];
        await arrived;
        const currentUrl = webContents.getURL();
        loads.push([webContents.isLoading(), await load('#b')], [webContents.isLoading(), await load('#c')]);
        window.destroy();
        return { loads, currentUrl, documents };
      }, at('/own'));
      const failed = ['ERR_FAILED', -2];
      // The navigation continues.
      expect(events).toEqual({
        loads: [
          [true, failed],
          [false, 'loaded'],
          [true, failed],
        ],
        currentUrl: at('/own#a'),
        documents: 1,
      });
    });

    it('reports a failing script by its message, to a frame as text, and other rejection values of a promise', async () => {
      const scripts = [
        "throw new TypeError('of a kind')",
        "throw 'text'",
        '1 +',
        "Promise.reject(new TypeError('two\\nlines'))",
        "Promise.reject('text')",
        '(() => {})',
        'undefined',
      ];
      const events = await running.evaluate(
        async ({ BrowserWindow, session }, { url, scripts: each }) => {
          const window = new BrowserWindow({
            show: false,
            webPreferences: { session: session.fromPartition('fails') },
          });
          await window.loadURL(url);
          const { webContents } = window;
          const ways = [webContents, webContents.mainFrame];
          const answers: unknown[][] = [];
          for (const script of each) {
            const results: unknown[] = [];
            for (const way of ways)
              results.push(
                await way.executeJavaScript(script).then(
                  (value: unknown) => (value === undefined ? 'undefined' : value),
                  // The position in the script is not compared.
                  (error: unknown) =>
                    error instanceof Error ? { [error.name]: error.message } : String(error).split('\n    at')[0],
                ),
              );
            answers.push(results);
          }
          window.destroy();
          return answers;
        },
        { url: at('/own'), scripts },
      );
      const failed = {
        Error:
          'Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.',
      };
      expect(events).toEqual([
        [failed, 'TypeError: of a kind'],
        [failed, 'text'],
        [failed, 'SyntaxError: Unexpected end of input'],
        [{ Error: 'two\nlines' }, 'TypeError: two\nlines'],
        ['text', 'text'],
        [{ Error: 'An object could not be cloned.' }, null],
        ['undefined', null],
      ]);
    });

    it('rejects with ERR_FAILED if a load yields no page, and keeps the current one', async () => {
      const events = await running.evaluate(
        async ({ BrowserWindow, session }, { start, none, hop }) => {
          const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('none') } });
          await window.loadURL(start);
          const load = (url: string): Promise<unknown> =>
            window.loadURL(url).then(
              () => 'loaded',
              ({ code, errno }: { code: string; errno: number }) => [code, errno],
            );
          const brought = [await load(none)];
          window.webContents.on('will-redirect', (event) => event.preventDefault());
          brought.push(await load(hop), await load('no address'));
          const currentUrl = window.webContents.getURL();
          window.destroy();
          return { brought, currentUrl };
        },
        { start: at('/start'), none: at('/none'), hop: at('/hop?to=/next') },
      );
      expect(events).toEqual({
        brought: [
          ['ERR_FAILED', -2],
          ['ERR_FAILED', -2],
          ['ERR_INVALID_URL', -300],
        ],
        currentUrl: at('/start'),
      });
    });

    it('emits the events of a navigation in one order', async () => {
      const events = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('order') } });
        const { webContents } = window;
        await window.loadURL(url);
        const seenEvents: string[] = [];
        const note = (name: string) => (): void => void seenEvents.push(name);
        webContents.on('did-start-navigation', ({ isMainFrame }) => isMainFrame && note('did-start-navigation')());
        webContents.on('will-frame-navigate', ({ isMainFrame }) => isMainFrame && note('will-frame-navigate')());
        webContents.on('will-navigate', note('will-navigate'));
        webContents.on('did-frame-navigate', (_event, _url, _code, _text, isMainFrame) => {
          if (isMainFrame) note('did-frame-navigate')();
        });
        const arrived = new Promise<void>((resolve) =>
          webContents.on('did-navigate', () => {
            note('did-navigate')();
            resolve();
          }),
        );
        await webContents.executeJavaScript("location.href = '/next'; 0", true);
        await arrived;
        window.destroy();
        return seenEvents;
      }, at('/start'));
      expect(events).toEqual([
        'did-start-navigation',
        'will-frame-navigate',
        'will-navigate',
        'did-frame-navigate',
        'did-navigate',
      ]);
    });

    it('leaves a page blank that could not be loaded', async () => {
      const closed = await serveHttp(() => {});
      await closed[Symbol.asyncDispose]();
      const text = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('blank') } });
        const { webContents } = window;
        const isStill = new Promise<void>((resolve) => webContents.once('did-stop-loading', () => resolve()));
        await window.loadURL(url).catch(() => {});
        await isStill;
        const shown = await webContents.executeJavaScript('document.body.innerText');
        window.destroy();
        return shown as string;
      }, `${closed.origin}/`);
      expect(text).toBe('');
    });

    it('rejects and emits an event when a page cannot be loaded', async () => {
      const closed = await serveHttp(() => {});
      await closed[Symbol.asyncDispose]();
      const events = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('gone') } });
        const failures: unknown[] = [];
        window.webContents.on('did-fail-load', (_event, code, description) => failures.push([code, description]));
        const rejection = await window
          .loadURL(url)
          .catch((error: { code: string; errno: number }) => [error.errno, error.code]);
        window.destroy();
        return { failures, rejection };
      }, `${closed.origin}/`);
      expect(events).toEqual({
        failures: [[-102, 'ERR_CONNECTION_REFUSED']],
        rejection: [-102, 'ERR_CONNECTION_REFUSED'],
      });
    });

    it('shows no password prompt unless the app wants it', async () => {
      const requests = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const window = new BrowserWindow({ show: false, webPreferences: { session: session.fromPartition('locked') } });
        const events: unknown[] = [];
        window.webContents.on('login', (_event, _details, info) =>
          events.push([info.realm, info.scheme, info.isProxy]),
        );
        await window.loadURL(url).catch(() => {});
        const text = (await window.webContents.executeJavaScript('document.body.textContent')) as string;
        window.destroy();
        return { events, text };
      }, at('/locked'));
      expect(requests).toEqual({ events: [['here', 'basic', false]], text: 'refused' });
    });
  });

  describe('session', () => {
    it('keeps the cookies of each apart, and clears them on request (AZ-37)', async () => {
      const cookies = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const load = async (partition: string): Promise<string> => {
          const window = new BrowserWindow({ show: false, webPreferences: { partition } });
          await window.loadURL(url);
          const text = (await window.webContents.executeJavaScript(
            'document.getElementById("cookie").textContent',
          )) as string;
          window.destroy();
          return text;
        };
        const first = session.fromPartition('first');
        const loads = [await load('first'), await load('first'), await load('second')];
        const remaining = (await first.cookies.get({})).map(({ name }) => name);
        await first.clearStorageData();
        return { loads: [...loads, await load('first')], remaining, persistent: first.isPersistent() };
      }, `${site.origin}/`);
      expect(cookies).toEqual({ loads: ['', 'visited=yes', '', ''], remaining: ['visited'], persistent: false });
    });

    it("serves the app's own requests with the handler of its scheme", async () => {
      const results = await running.evaluate(async ({ session }) => {
        const { headers, status } = await session.defaultSession.fetch('app://contract/index.html');
        return [status, headers.get('content-security-policy')];
      });
      expect(results).toEqual([
        200,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
      ]);
    });

    it('reports the preferences that a page was created with, including defaults', async () => {
      const events = await running.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
        const names = ['contextIsolation', 'sandbox', 'nodeIntegration', 'nodeIntegrationInSubFrames'];
        const more = ['webSecurity', 'webviewTag', 'allowRunningInsecureContent', 'experimentalFeatures'];
        const last = contents.getLastWebPreferences();
        return [...names, ...more].map((name) => [name, last[name]]);
      });
      expect(Object.fromEntries(events)).toEqual({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
      });
    });

    it('clears what a page has stored, even while it is open', async () => {
      const stored = await running.evaluate(async ({ BrowserWindow, session }, url) => {
        const own = session.fromPartition('storing');
        const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
        await window.loadURL(url);
        const read = (): Promise<string | null> =>
          window.webContents.executeJavaScript('localStorage.getItem("saved")') as Promise<string | null>;
        await window.webContents.executeJavaScript('localStorage.setItem("saved", "yes")');
        const before = await read();
        await own.clearStorageData();
        await window.loadURL(url);
        const after = await read();
        window.destroy();
        return [before, after];
      }, `${site.origin}/`);
      expect(stored).toEqual(['yes', null]);
    });

    it('refuses what its handlers refuse', async () => {
      const state = (name: string): Promise<unknown> =>
        inPage(`navigator.permissions.query({ name: '${name}' }).then(({ state }) => state)`);
      expect([await state('geolocation'), await state('camera'), await state('notifications')]).toEqual(
        Array(3).fill('denied'),
      );
    });

    it('is the same for the same name, and different for another', async () => {
      const same = await running.evaluate(({ session }) => [
        session.fromPartition('a') === session.fromPartition('a'),
        session.fromPartition('a') === session.fromPartition('b'),
        session.fromPartition('a') === session.defaultSession,
      ]);
      expect(same).toEqual([true, false, false]);
    });
  });

  describe('windows', () => {
    it('are identified by their pages, and announced before they load', async () => {
      const known = await running.evaluate(async ({ app, BrowserWindow, webContents }) => {
        const created: number[] = [];
        app.once('web-contents-created', (_event, contents) => created.push(contents.id));
        const window = new BrowserWindow({ show: false, width: 400, height: 300, title: 'Known' });
        const { id } = window.webContents;
        const facts = {
          announced: created[0] === id,
          byContents: BrowserWindow.fromWebContents(window.webContents) === window,
          byId: BrowserWindow.fromId(window.id) === window,
          contentsById: webContents.fromId(id) === window.webContents,
          title: window.getTitle(),
          size: window.getSize(),
          visible: window.isVisible(),
        };
        let closed = 0;
        window.on('closed', () => (closed += 1));
        // Its page is destroyed shortly after.
        const contents = window.webContents;
        const isGone = new Promise((resolve) => contents.once('destroyed', () => setImmediate(resolve)));
        window.destroy();
        const over = { closed, destroyed: window.isDestroyed() };
        await isGone;
        return { ...facts, ...over, gone: webContents.fromId(id) ?? null };
      });
      expect(known).toEqual({
        announced: true,
        byContents: true,
        byId: true,
        contentsById: true,
        title: 'Known',
        size: [400, 300],
        visible: false,
        closed: 1,
        destroyed: true,
        gone: null,
      });
    });

    it('take the title of their page unless that is prevented', async () => {
      const titles = await running.evaluate(async ({ BrowserWindow }, url) => {
        const window = new BrowserWindow({ show: false, title: 'Ours' });
        const titled = new Promise((resolve) => window.once('page-title-updated', (_event, title) => resolve(title)));
        window.on('page-title-updated', (event) => event.preventDefault());
        await window.loadURL(url);
        const theirs = await titled;
        const ours = window.getTitle();
        window.destroy();
        return [theirs, ours];
      }, `${site.origin}/theirs`);
      expect(titles).toEqual(['/theirs', 'Ours']);
    });

    it('stay open while close is prevented, and close after that', async () => {
      const closing = await running.evaluate(async ({ BrowserWindow }, url) => {
        const window = new BrowserWindow({ show: false });
        await window.loadURL(url);
        window.once('close', (event) => event.preventDefault());
        window.close();
        const stays = !window.isDestroyed();
        const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()));
        window.close();
        await closed;
        return [stays, window.isDestroyed()];
      }, `${site.origin}/`);
      expect(closing).toEqual([true, true]);
    });

    it('report their bounds, and keep their minimum size', async () => {
      const places = await running.evaluate(({ BrowserWindow }) => {
        const window = new BrowserWindow({ show: false, width: 500, height: 400, minWidth: 450, minHeight: 350 });
        const moved: string[] = [];
        window.on('resize', () => moved.push('resize'));
        window.setBounds({ width: 600, height: 500 });
        const size = window.getSize();
        const least = window.getMinimumSize();
        const { width, height } = window.getNormalBounds();
        window.destroy();
        return { size, least, normal: [width, height] };
      });
      expect(places).toEqual({ size: [600, 500], least: [450, 350], normal: [600, 500] });
    });

    it('hold several pages, which live until they are closed', async () => {
      const views = await running.evaluate(async ({ BaseWindow, WebContentsView, session }, url) => {
        const window = new BaseWindow({ width: 520, height: 600, show: false });
        const view = new WebContentsView({ webPreferences: { session: session.fromPartition('view') } });
        const bar = new WebContentsView();
        window.contentView.addChildView(view);
        window.contentView.addChildView(bar);
        bar.setBounds({ x: 0, y: 0, width: 520, height: 40 });
        view.setBounds({ x: 0, y: 40, width: 520, height: 560 });
        await Promise.all([view.webContents.loadURL(url), bar.webContents.loadURL('app://contract/index.html')]);
        const pages = await Promise.all(
          [view, bar].map(({ webContents }) => webContents.executeJavaScript('document.title') as Promise<string>),
        );
        const destroyed = new Promise<void>((resolve) => view.webContents.once('destroyed', () => resolve()));
        view.webContents.close();
        bar.webContents.close();
        await destroyed;
        window.destroy();
        return { pages, children: window.isDestroyed() };
      }, `${site.origin}/view`);
      expect(views).toEqual({ pages: ['/view', 'Contract page'], children: true });
    });

    it('close although a page wants to prompt, if the app allows it', async () => {
      const closed = await running.evaluate(async ({ BrowserWindow }, url) => {
        const window = new BrowserWindow({ show: false });
        await window.loadURL(url);
        window.webContents.on('will-prevent-unload', (event) => event.preventDefault());
        const isClosed = new Promise<boolean>((resolve) => window.once('closed', () => resolve(true)));
        await window.webContents.executeJavaScript('0', true);
        window.close();
        return await isClosed;
      }, `${site.origin}/stay`);
      expect(closed).toBe(true);
    });

    it('stay if a page objects and the app allows it, and can be hidden and shown after that', async () => {
      const whatWasSeen = await running.evaluate(async ({ BrowserWindow }, url) => {
        const window = new BrowserWindow();
        await window.loadURL(url);
        await window.webContents.executeJavaScript('0', true);
        const objected = new Promise<void>((resolve) => {
          window.webContents.once('will-prevent-unload', () => {
            window.hide();
            resolve();
          });
        });
        window.close();
        await objected;
        const whenHidden = window.isVisible();
        window.show();
        const place = (await window.webContents.executeJavaScript('location.pathname')) as string;
        const whenShown = window.isVisible();
        window.destroy();
        return { whenHidden, whenShown, place };
      }, `${site.origin}/stay`);
      expect(whatWasSeen).toEqual({ whenHidden: false, whenShown: true, place: '/stay' });
    });
  });

  describe('the desktop', () => {
    it('gives pages the colors of themeSource', async () => {
      const isDark = `matchMedia('(prefers-color-scheme: dark)').matches`;
      const choose = (source: 'dark' | 'light'): Promise<unknown> =>
        running.evaluate(({ nativeTheme }, theme) => {
          const updated = new Promise<void>((resolve) => nativeTheme.once('updated', () => resolve()));
          nativeTheme.themeSource = theme;
          return updated.then(() => nativeTheme.shouldUseDarkColors);
        }, source);
      expect(await choose('dark')).toBe(true);
      await untilPage(isDark);
      expect(await choose('light')).toBe(false);
      await untilPage(`!${isDark}`);
    });

    it('builds menus from templates, with the labels and shortcuts of their roles', async () => {
      const menu = await running.evaluate(({ Menu }) => {
        let clicks = 0;
        const built = Menu.buildFromTemplate([
          {
            label: 'File',
            submenu: [{ id: 'new', label: 'New', accelerator: 'CmdOrCtrl+N', click: () => (clicks += 1) }],
          },
          { role: 'editMenu' },
        ]);
        Menu.setApplicationMenu(built);
        const item = built.getMenuItemById('new');
        item?.click();
        return {
          same: Menu.getApplicationMenu() === built,
          labels: built.items.map(({ label }) => label),
          key: item?.accelerator,
          clicks,
          edits: (built.items[1]?.submenu?.items.length ?? 0) > 4,
        };
      });
      expect(menu).toEqual({ same: true, labels: ['File', 'Edit'], key: 'CmdOrCtrl+N', clicks: 1, edits: true });
    });

    it('keeps what is written to the clipboard', async () => {
      const text = await running.evaluate(async ({ clipboard }) => {
        await clipboard.writeText('http://127.0.0.1:1/callback');
        return await clipboard.readText();
      });
      expect(text).toBe('http://127.0.0.1:1/callback');
    });

    it('knows at least one display, and the bounds of its work area', async () => {
      const [display] = await running.evaluate(({ screen }) => screen.getAllDisplays().map(({ workArea }) => workArea));
      expect(display).toMatchObject({ x: expect.any(Number), width: expect.any(Number), height: expect.any(Number) });
    });

    it.runIf(process.platform === 'linux')("opens links with the system's opener", async () => {
      const tools = path.join(folder, 'tools');
      const opened = path.join(folder, 'opened');
      await mkdir(tools);
      await writeFile(
        path.join(tools, 'xdg-open'),
        `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
      );
      await chmod(path.join(tools, 'xdg-open'), 0o755);
      const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}` };
      await using other = await launchWindow({ app: fixtureApp, profile: path.join(folder, 'opener'), env });
      // For openers that the system lacks.
      await other.evaluate(() => void Object.assign(process.env, { BROWSER: 'false' }));
      const url = await other.evaluate(async ({ shell }, file) => {
        const { existsSync, readFileSync, watch } = process.getBuiltinModule('node:fs');
        const { dirname } = process.getBuiltinModule('node:path');
        const appears = new Promise<void>((resolve) => {
          const watcher = watch(dirname(file), () => {
            if (!existsSync(file)) return;
            watcher.close();
            resolve();
          });
        });
        await shell.openExternal('https://example.com/a?b=c%20d');
        await appears;
        return readFileSync(file, 'utf8');
      }, opened);
      expect(url).toBe('https://example.com/a?b=c%20d');
    });
  });

  describe('utility processes', () => {
    it('communicate through parentPort, and report their exit', async () => {
      const talk = await running.evaluate(
        async ({ utilityProcess }, file) => {
          const child = utilityProcess.fork(file, [], { serviceName: 'contract', stdio: 'ignore' });
          const message = new Promise((resolve) => child.once('message', resolve));
          // Sent before it runs: it is queued.
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
          child.postMessage({ n: 1 });
          const received = await message;
          const before = typeof child.pid;
          const ended = new Promise((resolve) => child.once('exit', resolve));
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
          child.postMessage('end');
          return { heard: received, before, code: await ended, after: typeof child.pid };
        },
        path.join(fixtureApp, 'utility.cjs'),
      );
      expect(talk).toEqual({
        heard: { heard: { n: 1 }, type: 'utility' },
        before: 'number',
        code: 7,
        after: 'undefined',
      });
    });

    it('have no id and cannot be killed until they have started, and exit with 0 after that', async () => {
      const events = await running.evaluate(
        async ({ utilityProcess }, file) => {
          const child = utilityProcess.fork(file, [], { serviceName: 'contract', stdio: 'ignore' });
          const ended = new Promise((resolve) => child.once('exit', resolve));
          const early = [typeof child.pid, child.kill()];
          await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
          return { early, late: [typeof child.pid, child.kill()], code: await ended };
        },
        path.join(fixtureApp, 'utility.cjs'),
      );
      expect(events).toEqual({ early: ['undefined', false], late: ['number', true], code: 0 });
    });

    it('are refused without a script, and with execArgv that is not a list', async () => {
      const refusals = await running.evaluate(
        ({ utilityProcess }, file) =>
          [
            () => utilityProcess.fork(undefined as never),
            () => utilityProcess.fork(file, [], { execArgv: 'none' as never }),
          ].map((run) => {
            try {
              run();
              return 'started';
            } catch (error) {
              return (error as Error).message;
            }
          }),
        path.join(fixtureApp, 'utility.cjs'),
      );
      expect(refusals[0]).toContain('Missing UtilityProcess entry script');
      expect(refusals[1]).toContain('execArgv must be an array');
    });
  });

  it('opened no unexpected window', async () => {
    expect(await seen('window-open')).toEqual([]);
    expect(await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });
});

describe('a notification', () => {
  it('has buttons, and says which of them was clicked', async () => {
    const seenButtons = await running.evaluate(({ Notification }) => {
      const actions = ['Allow', 'Deny'].map((text) => ({ type: 'button' as const, text }));
      const notice = new Notification({ title: 'Notes', body: 'A question', silent: true, actions });
      const clicked: number[] = [];
      notice.on('action', ({ actionIndex }) => clicked.push(actionIndex));
      notice.on('click', () => {});
      notice.emit('action', { actionIndex: 1 });
      // Withdrawing one that is not shown does nothing.
      notice.close();
      return { labels: notice.actions.map(({ text }) => text), clicked };
    });
    expect(seenButtons).toEqual({ labels: ['Allow', 'Deny'], clicked: [1] });
  });
});

describe('a tray icon', () => {
  it('is created from memory at several scales, changed, and destroyed once', async () => {
    const events = await running.evaluate(({ Menu, Tray, nativeImage }) => {
      const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const image = nativeImage.createEmpty();
      for (const scaleFactor of [1, 2]) image.addRepresentation({ scaleFactor, buffer: Buffer.from(dot, 'base64') });
      const tray = new Tray(image);
      tray.on('click', () => {});
      tray.setImage(image);
      tray.setToolTip('Postern');
      tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Open' }]));
      const before = tray.isDestroyed();
      tray.destroy();
      let refused = '';
      try {
        tray.setToolTip('late');
      } catch (error) {
        refused = String(error);
      }
      return { isEmpty: image.isEmpty(), before, after: tray.isDestroyed(), refused };
    });
    expect(events).toEqual({ isEmpty: false, before: false, after: true, refused: 'Error: Tray is destroyed' });
  });
});

describe.runIf(windowRuntime === 'stand-in')('the stand-in', () => {
  it('names each feature that it does not emulate', async () => {
    const uses: ((electron: ElectronModule) => unknown)[] = [
      ({ safeStorage }) => safeStorage.isEncryptionAvailable(),
      ({ Tray }) => new Tray('icon.png'),
      ({ app }) => app.getGPUInfo('basic'),
      ({ app }) => app.on('gpu-info-update', () => {}),
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setVibrancy('menu'),
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.debugger,
      ({ BrowserWindow }) => new BrowserWindow({ webPreferences: { sandbox: false } }),
      ({ session }) => session.fromPartition('persist:x'),
    ];
    for (const use of uses) await expect(running.evaluate(use), String(use)).rejects.toThrow(/^not emulated: /);
  });

  it('handles the keyboard shortcuts of the menu', async () => {
    await running.evaluate(({ Menu }) => {
      const keys: string[] = [];
      Object.assign(globalThis, { keys });
      const item = (accelerator: string) => ({ label: accelerator, accelerator, click: () => keys.push(accelerator) });
      const submenu = ['CmdOrCtrl+N', 'CmdOrCtrl+Shift+N', 'CmdOrCtrl+,', 'F5'].map(item);
      Menu.setApplicationMenu(Menu.buildFromTemplate([{ label: 'Keys', submenu }]));
    });
    // The page has handled the keys by the time it responds to a later request.
    await running.evaluate(({ BrowserWindow }) =>
      Promise.all(BrowserWindow.getAllWindows().map(({ webContents }) => webContents.executeJavaScript('0'))),
    );
    const control = process.platform === 'darwin' ? 'Meta' : 'Control';
    for (const key of ['KeyN', 'Shift+KeyN', 'Comma']) await page.keyboard.press(`${control}+${key}`);
    await page.keyboard.press('F5');
    await expect
      .poll(() => running.evaluate(() => (globalThis as unknown as { keys: string[] }).keys))
      .toEqual(['CmdOrCtrl+N', 'CmdOrCtrl+Shift+N', 'CmdOrCtrl+,', 'F5']);
  });

  it('shows system dialogs as windows', async () => {
    const chosen = running.evaluate(({ dialog }) => dialog.showSaveDialog({ title: 'Keep', defaultPath: 'list.json' }));
    const asking = await running.page('about:blank');
    await asking.getByLabel('File').fill('/somewhere/list.json');
    // The click closes the window.
    await asking
      .getByRole('button', { name: 'Save' })
      .click()
      .catch(() => {});
    expect(await chosen).toEqual({ canceled: false, filePath: '/somewhere/list.json' });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { openElectronFixture } from '../support/electron-fixture.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/** Windows and pages that are destroyed, on Electron and on the stand-in: events, their order, and what remains. */
let site: LoopbackServer;
let running: RunningWindow;

beforeAll(async () => {
  const fixture = await openElectronFixture((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>');
  });
  ({ site, running } = fixture);
  // What every test needs in the main process, passed as text.
  await running.evaluate(() => {
    const attempt = (run: () => unknown): string => {
      try {
        return typeof run();
      } catch (error) {
        return String(error);
      }
    };
    Object.assign(globalThis, { attempt });
  });
  return fixture.close;
});

type Attempt = (run: () => unknown) => string;
interface Helped {
  readonly attempt: Attempt;
}

const gone = 'TypeError: Object has been destroyed';

describe(`destroyed objects, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  it('throws on every call to a destroyed window, except its id and isDestroyed', async () => {
    const events = await running.evaluate(async ({ BrowserWindow }, url) => {
      const { attempt } = globalThis as unknown as Helped;
      const window = new BrowserWindow({ show: false });
      await window.loadURL(url);
      const { id } = window;
      const inClosed: string[] = [];
      window.on('closed', () => inClosed.push(attempt(() => window.webContents)));
      window.destroy();
      return {
        inClosed,
        throwing: [
          () => window.webContents,
          () => window.contentView,
          () => window.getTitle(),
          () => window.getBounds(),
          () => window.isVisible(),
          () => window.setTitle('late'),
          () => window.focus(),
          () => window.close(),
          () => window.loadURL(url),
        ].map(attempt),
        answering: [window.isDestroyed(), window.id === id, BrowserWindow.fromId(id)],
        again: [() => window.destroy(), () => window.on('closed', () => {})].map(attempt),
      };
    }, site.origin);
    expect(events).toEqual({
      inClosed: [gone],
      throwing: Array(9).fill(gone),
      answering: [true, true, null],
      again: ['undefined', 'object'],
    });
  });

  it('throws or rejects on every call to a destroyed page', async () => {
    const events = await running.evaluate(async ({ BrowserWindow, webContents: all }, url) => {
      const { attempt } = globalThis as unknown as Helped;
      const window = new BrowserWindow({ show: false });
      const { webContents } = window;
      await window.loadURL(url);
      const { id } = webContents;
      const destroyed = new Promise<void>((resolve) => webContents.once('destroyed', () => resolve()));
      window.destroy();
      await destroyed;
      // Outside the event.
      await new Promise((resolve) => setImmediate(resolve));
      return {
        throwing: [
          () => webContents.getURL(),
          () => webContents.session,
          () => webContents.mainFrame,
          () => webContents.send('count', 1),
          () => webContents.focus(),
          () => webContents.isFocused(),
          () => webContents.close(),
          () => webContents.loadURL(url),
          () => BrowserWindow.fromWebContents(webContents),
        ].map(attempt),
        script: await webContents.executeJavaScript('1').catch(String),
        answering: [webContents.isDestroyed(), webContents.id === id, all.fromId(id) === undefined],
        listening: attempt(() => webContents.on('destroyed', () => {})),
      };
    }, site.origin);
    expect(events).toEqual({
      throwing: Array(9).fill(gone),
      script: expect.stringContaining('Object has been destroyed'),
      answering: [true, true, true],
      listening: 'object',
    });
  });

  it('keeps the page of a destroyed window for one task', async () => {
    const events = await running.evaluate(async ({ BrowserWindow, webContents: all }, url) => {
      const window = new BrowserWindow({ show: false });
      const { webContents } = window;
      await window.loadURL(url);
      const order: string[] = [];
      window.on('close', () => order.push('close'));
      window.on('closed', () => order.push('closed'));
      const destroyed = new Promise<void>((resolve) =>
        webContents.once('destroyed', () => {
          order.push('destroyed');
          resolve();
        }),
      );
      window.destroy();
      const atOnce = [all.fromId(webContents.id) === webContents, webContents.isDestroyed(), webContents.getURL()];
      await destroyed;
      return { order, atOnce };
    }, `${site.origin}/`);
    expect(events).toEqual({ order: ['closed', 'destroyed'], atOnce: [true, false, `${site.origin}/`] });
  });

  it.each(['window.close()', 'contents.close()', 'the page'] as const)('ends a window by %s', async (how) => {
    const events = await running.evaluate(
      async ({ BrowserWindow }, { url, by }) => {
        const window = new BrowserWindow({ show: false });
        const { webContents } = window;
        await window.loadURL(url);
        const order: string[] = [];
        window.on('close', () => order.push('close'));
        webContents.on('destroyed', () => order.push(`destroyed, ${window.isDestroyed() ? 'no ' : 'a '}window`));
        const closed = new Promise<void>((resolve) =>
          window.on('closed', () => {
            order.push('closed');
            resolve();
          }),
        );
        if (by === 'window.close()') window.close();
        else if (by === 'contents.close()') webContents.close();
        else webContents.executeJavaScript('window.close(); 0').catch(() => {});
        const stays = [!window.isDestroyed(), !webContents.isDestroyed()];
        await closed;
        return { order, stays };
      },
      { url: site.origin, by: how },
    );
    const closeCalls = how === 'window.close()' ? ['close'] : [];
    expect(events).toEqual({ order: [...closeCalls, 'destroyed, a window', 'closed'], stays: [true, true] });
  });

  it('ends the page of a view by the page, and the window drops it', async () => {
    const ended = await running.evaluate(async ({ BaseWindow, WebContentsView }, url) => {
      const window = new BaseWindow({ show: false });
      const view = new WebContentsView();
      window.contentView.addChildView(view);
      view.setBounds({ x: 0, y: 0, width: 300, height: 300 });
      const { webContents } = view;
      await webContents.loadURL(url);
      const order: string[] = [];
      window.on('close', () => order.push('close'));
      window.on('closed', () => order.push('closed'));
      const destroyed = new Promise<void>((resolve) =>
        webContents.on('destroyed', () => {
          order.push(`destroyed, ${view.webContents === webContents ? 'still' : 'not'} in its view`);
          resolve();
        }),
      );
      webContents.executeJavaScript('window.close(); 0').catch(() => {});
      await destroyed;
      await new Promise((resolve) => setImmediate(resolve));
      const remaining = [window.isDestroyed(), typeof view.webContents, window.contentView.children.length];
      view.setBounds({ x: 0, y: 0, width: 1, height: 1 });
      const events = [...order];
      window.destroy();
      return { order: events, left: remaining };
    }, site.origin);
    expect(ended).toEqual({ order: ['destroyed, still in its view'], left: [false, 'undefined', 0] });
  });

  it('closes a page for a driver as the page itself would: with its window if it has one', async () => {
    await running.evaluate(async ({ BaseWindow, BrowserWindow, WebContentsView }, url) => {
      const around = new BaseWindow({ show: false });
      const view = new WebContentsView();
      around.contentView.addChildView(view);
      view.setBounds({ x: 0, y: 0, width: 300, height: 300 });
      const window = new BrowserWindow({ show: false });
      await Promise.all([view.webContents.loadURL(`${url}/inside`), window.loadURL(`${url}/whole`)]);
      const ended = Promise.all([
        new Promise<void>((resolve) => view.webContents.once('destroyed', () => setImmediate(resolve))),
        new Promise<void>((resolve) => window.once('closed', () => resolve())),
      ]);
      const finish = async (): Promise<unknown> => {
        await ended;
        const remaining = [around.isDestroyed(), typeof view.webContents, window.isDestroyed()];
        around.destroy();
        return remaining;
      };
      Object.assign(globalThis, { finish });
    }, site.origin);
    for (const place of ['/inside', '/whole']) await (await running.page(place)).close();
    const remaining = await running.evaluate(() => (globalThis as unknown as { finish(): Promise<unknown> }).finish());
    expect(remaining).toEqual([false, 'undefined', true]);
  });

  it.each(['close', 'destroy'] as const)(
    'keeps the pages of its views if a window without a page ends by %s()',
    async (how) => {
      const events = await running.evaluate(
        async ({ BaseWindow, WebContentsView, webContents: all }, { url, by }) => {
          const window = new BaseWindow({ show: false });
          const view = new WebContentsView();
          window.contentView.addChildView(view);
          const { webContents } = view;
          await webContents.loadURL(url);
          const order: string[] = [];
          window.on('close', () => order.push('close'));
          window.on('closed', () => order.push('closed'));
          window[by]();
          const atOnce = [...order];
          await new Promise((resolve) => setImmediate(resolve));
          const lives = [webContents.isDestroyed(), view.webContents === webContents, webContents.getURL()];
          const destroyed = new Promise<void>((resolve) => webContents.once('destroyed', () => resolve()));
          webContents.close();
          const stays = all.fromId(webContents.id) === webContents;
          await destroyed;
          return { atOnce, lives, stays, after: all.fromId(webContents.id) === undefined };
        },
        { url: `${site.origin}/`, by: how },
      );
      expect(events).toEqual({
        atOnce: how === 'close' ? ['close', 'closed'] : ['closed'],
        lives: [false, true, `${site.origin}/`],
        stays: true,
        after: true,
      });
    },
  );

  it('rejects a view whose page is destroyed', async ({ skip }) => {
    const version = await running.evaluate(() => Number.parseInt(process.versions['electron'] ?? '', 10));
    skip(version < 45, 'an older Electron crashes');
    const refused = await running.evaluate(async ({ BaseWindow, WebContentsView }) => {
      const { attempt } = globalThis as unknown as Helped;
      const window = new BaseWindow({ show: false });
      const view = new WebContentsView();
      const destroyed = new Promise<void>((resolve) => view.webContents.once('destroyed', () => resolve()));
      view.webContents.close();
      await destroyed;
      await new Promise((resolve) => setImmediate(resolve));
      const outcome = attempt(() => window.contentView.addChildView(view));
      window.destroy();
      return outcome;
    });
    expect(refused).toMatch(/^Error: /);
  });

  it('rejects a load whose window is destroyed meanwhile', async () => {
    const rejected = await running.evaluate(async ({ BrowserWindow }, url) => {
      const window = new BrowserWindow({ show: false });
      await window.loadURL(url);
      const loading = window.loadURL(url).then(
        () => 'loaded',
        ({ code }: { code: string }) => code,
      );
      window.destroy();
      return await loading;
    }, site.origin);
    expect(rejected).toBe('ERR_FAILED');
  });
});

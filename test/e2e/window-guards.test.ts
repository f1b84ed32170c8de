import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { afterTest } from '../support/after-test.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { serveHttps } from '../support/loopback-server.ts';
import { recordArrivals } from '../support/record-arrivals.ts';
import { tryWebRtc } from '../support/try-webrtc.ts';
import { frameIsShown } from './kit/frame-is-shown.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import { look, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenPostern } from './kit/window-test.ts';

/** Plain HTTP to another host, which no sign-in page may navigate to; it never resolves (RFC 6761, 6.4). */
const nowhere = 'http://nowhere.invalid/';

/** A hostile sign-in service that responds to everything with `html`. */
async function startHostile(html: string) {
  const visits: string[] = [];
  const respond = (response: ServerResponse, type: string, body: string): true => {
    response.writeHead(200, { 'content-type': type }).end(body);
    return true;
  };
  const pair = await startPair({
    intercept(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://as');
      visits.push(pathname);
      if (pathname === '/file.zip') {
        response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('zip');
        return true;
      }
      if (pathname === '/hostile/away') {
        response.writeHead(302, { location: nowhere }).end();
        return true;
      }
      if (pathname === '/hostile/locked') {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="bank"' }).end('refused');
        return true;
      }
      return pathname === '/authorize' || pathname.startsWith('/hostile')
        ? respond(response, 'text/html', html)
        : false;
    },
  });
  return { ...pair, visits };
}

async function openHostilePopup(
  openPostern: OpenPostern,
  html: string,
  prepare: (postern: RunningPostern) => Promise<unknown> = async () => {},
) {
  const pair = await startHostile(html);
  const postern = await openPostern();
  await prepare(postern);
  await look(postern.page, pair.mcp.url);
  await start(postern.page, 'signIn');
  const popup = await postern.popup(pair.as.origin);
  await popup.waitForLoadState();
  return { ...pair, postern, popup };
}

const titles = (postern: RunningPostern): Promise<string[]> =>
  postern.window.evaluate(({ BaseWindow }) => BaseWindow.getAllWindows().map((window) => window.getTitle()));

test.describe('a sign-in page', () => {
  test('cannot reach Postern, open windows, leave the web or request permissions (AZ-31, AZ-32, AZ-33, AZ-34)', async ({
    openPostern,
  }) => {
    const { postern, popup, as, visits } = await openHostilePopup(
      openPostern,
      '<title>bank.example</title><h1>Hello</h1>',
    );
    const at = popup.url();
    expect(
      await popup.evaluate(() => ['postern', 'require', 'process', '__ipc'].filter((name) => name in window)),
    ).toEqual([]);

    for (const url of [
      'file:///etc/passwd',
      'app://postern/index.html',
      'mailto:a@b.example',
      'http://192.0.2.1/',
      'other-app:x',
    ]) {
      await popup.evaluate((target) => void (location.href = target), url);
    }
    await popup.evaluate((origin) => void window.open(`${origin}/hostile/window`), as.origin);
    await popup.evaluate((origin) => {
      const link = document.createElement('a');
      Object.assign(link, { href: `${origin}/hostile/tab`, target: '_blank' });
      document.body.append(link);
      link.click();
    }, as.origin);
    const answers = await popup.evaluate(async () => [
      await Notification.requestPermission().catch(() => 'denied'),
      await navigator.mediaDevices?.getUserMedia({ video: true }).then(
        () => 'granted',
        () => 'denied',
      ),
      await new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          () => resolve('denied'),
        );
      }),
    ]);
    expect(answers).toEqual(['denied', 'denied', 'denied']);
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi'];
    const states = await popup.evaluate(
      (asked) =>
        Promise.all(asked.map(async (name) => (await navigator.permissions.query({ name: name as 'midi' })).state)),
      names,
    );
    expect(states).toEqual(names.map(() => 'denied'));
    const devices = await popup.evaluate(async () => {
      const asked = navigator as unknown as Record<string, { requestDevice(filter: object): Promise<unknown> }>;
      // For HID, an empty list is a valid result too.
      const outcome = (given: unknown): string => ([given].flat().length === 0 ? 'denied' : 'granted');
      const refused = (): string => 'denied';
      const ask = (name: string) => asked[name]?.requestDevice({ filters: [] }).then(outcome, refused) ?? refused();
      const clipboard = navigator.clipboard.readText().then(outcome, refused);
      return await Promise.all([ask('usb'), ask('hid'), ask('bluetooth'), clipboard]);
    });
    expect(devices).toEqual(['denied', 'denied', 'denied', 'denied']);
    await popup.evaluate(() => void (location.href = '/file.zip'));
    await expect.poll(() => visits).toContain('/file.zip');

    expect(popup.url()).toBe(at);
    await expect(postern.page.getByText(describeError('NAV_BLOCKED', {}).message)).toBeVisible();
    const log = readFileSync(path.join(postern.profile, 'logs/postern.log'), 'utf8');
    expect(log).toContain('"event":"navigation-blocked","code":"NAV_BLOCKED"');
    // The error that the stand-in throws in Postern if a window would have opened.
    expect(log).not.toContain('"event":"unexpected"');
    await expect.poll(() => postern.popups().length).toBe(1);
    expect(await titles(postern)).toContain(`${new URL(at).host} (not encrypted)`);
    expect((await titles(postern)).join()).not.toContain('bank.example');
  });

  test('is not navigated by frames or redirects, and downloads nothing (AZ-32, AZ-34)', async ({ openPostern }) => {
    const { postern, popup, as } = await openHostilePopup(openPostern, '<h1>Hello</h1>');
    // Runs after Postern's own guards and sees their decision.
    await postern.window.evaluate(({ webContents }, origin) => {
      const refused: Record<string, boolean> = {};
      const contents = webContents.getAllWebContents().find((one) => one.getURL().startsWith(origin));
      if (!contents) throw new Error(`no page of ${origin}`);
      contents.on('will-frame-navigate', ({ isMainFrame, defaultPrevented }) => {
        if (!isMainFrame) refused['frame'] = defaultPrevented;
      });
      contents.on('will-redirect', ({ defaultPrevented }) => void (refused['redirect'] = defaultPrevented));
      contents.session.on('will-download', ({ defaultPrevented }) => void (refused['download'] = defaultPrevented));
      Object.assign(globalThis, { refused });
    }, as.origin);
    const refused = (): Promise<unknown> =>
      postern.window.evaluate(() => (globalThis as unknown as { refused: unknown }).refused);
    await popup.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }, nowhere);
    await expect.poll(refused).toEqual({ frame: true });
    await popup.evaluate(() => void (location.href = '/hostile/away'));
    await expect.poll(refused).toEqual({ frame: true, redirect: true });
    await popup.evaluate(() => void (location.href = '/file.zip'));
    await expect.poll(refused).toEqual({ frame: true, redirect: true, download: true });
  });

  test('gets no client certificate, device or webview (AZ-33, AZ-34)', async ({ openPostern }) => {
    type Allows = (details: object) => boolean;
    const { postern, as } = await openHostilePopup(openPostern, '<h1>Hello</h1>', ({ window }) =>
      window.evaluate(({ app }) => {
        const devices: Allows[] = [];
        app.on('session-created', (created) => {
          const set = created.setDevicePermissionHandler.bind(created);
          created.setDevicePermissionHandler = (handler) => {
            devices.push(handler as Allows);
            set(handler);
          };
        });
        Object.assign(globalThis, { devices });
      }),
    );
    // There is no certificate, device or webview here, so the events are emitted as Electron does.
    const answers = await postern.window.evaluate(({ app, webContents }, origin) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL().startsWith(origin));
      const { devices } = globalThis as unknown as { devices: Allows[] };
      const prevented: string[] = [];
      const eventOf = (name: string) => ({ preventDefault: () => void prevented.push(name) });
      const chosen: unknown[][] = [];
      const choose = (...given: unknown[]): void => void chosen.push(given);
      app.emit('select-client-certificate', eventOf('certificate'), contents, origin, [{}], choose);
      contents?.emit('will-attach-webview', eventOf('webview'), {}, {});
      return { prevented, chosen, devices: devices.map((allows) => allows({ deviceType: 'hid', origin, device: {} })) };
    }, as.origin);
    expect(answers).toEqual({ prevented: ['certificate', 'webview'], chosen: [[]], devices: [false] });
  });

  test('shows no password prompt, and accepts no invalid certificate (AZ-34)', async ({ openPostern }) => {
    const { postern, popup, visits, as } = await openHostilePopup(openPostern, '<h1>Hello</h1>');
    const windows = (): Promise<number> =>
      postern.window.evaluate(({ BaseWindow }) => BaseWindow.getAllWindows().length);
    const before = await windows();
    await popup.evaluate(() => void (location.href = '/hostile/locked'));
    await expect(popup.getByText('refused')).toBeVisible();
    expect(visits.filter((visit) => visit === '/hostile/locked')).toHaveLength(1);
    expect(await windows()).toBe(before);

    const forged = await serveHttps((_request, response) => void response.end('<h1>Forged</h1>'));
    afterTest(() => forged[Symbol.asyncDispose]());
    await popup.evaluate((target) => void (location.href = target), forged.origin);
    await expect.poll(() => forged.sockets.length).toBeGreaterThan(0);
    // It may navigate at any moment.
    await expect(popup.getByText('refused')).toHaveCount(0);
    await expect(popup.getByText('Forged')).toHaveCount(0);
    expect(forged.received()).toBe('');
    expect(await windows()).toBe(before);
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  test('sees no data of an earlier one (AZ-37)', async ({ openPostern }) => {
    const { postern, popup, as, mcp } = await openHostilePopup(
      openPostern,
      `<h1>Hello</h1><script>
      window.found = [document.cookie, localStorage.getItem('account')];
      document.cookie = 'account=canary; max-age=3600';
      localStorage.setItem('account', 'canary');
    </script>`,
    );
    const found = (page: typeof popup): Promise<unknown> =>
      page.evaluate(() => (window as unknown as { found: unknown }).found);
    expect(await found(popup)).toEqual(['', null]);
    // Within one sign-in it is stored, so a leak would show.
    await popup.reload();
    expect(await found(popup)).toEqual(['account=canary', 'canary']);
    await postern.page.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await expect.poll(() => postern.popups()).toEqual([]);
    await look(postern.page, mcp.url);
    await start(postern.page, 'signIn');
    const second = await postern.popup(as.origin);
    await second.waitForLoadState();
    expect(await found(second)).toEqual(['', null]);
  });

  test('sends no datagram past the proxy and learns no local address (AZ-33)', async ({ openPostern }) => {
    await using arrivals = await recordArrivals();
    const { popup } = await openHostilePopup(openPostern, '<h1>Hello</h1>');
    const { tcp, udp } = arrivals;
    expect(await popup.evaluate(tryWebRtc, { tcp, udp })).toEqual([]);
    // TCP connections are allowed as for any page; they show that the attack ran, and may arrive after it.
    await expect.poll(() => arrivals.log()).toContain('connection');
    expect(arrivals.log().filter((line) => line.startsWith('datagram'))).toEqual([]);
  });

  test('cannot keep itself open or Postern busy (AZ-36)', async ({ openPostern }) => {
    const { postern, popup } = await openHostilePopup(
      openPostern,
      `<h1>Hello</h1><script>
      addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });
    </script>`,
    );
    await popup.evaluate(
      () =>
        void setTimeout(() => {
          for (const end = performance.now() + 120_000; performance.now() < end;);
        }),
    );
    await postern.page.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await expect.poll(() => postern.popups()).toEqual([]);
    await expect(postern.page.getByLabel('Server address')).toBeVisible();
  });
});

test.describe('the main window', () => {
  test('navigates nowhere, opens nothing and reaches no network, even with an attacker’s script in it (IP-04, IP-10, IP-03)', async ({
    openPostern,
  }) => {
    const { visits, as } = await startHostile('<h1>Hello</h1>');
    const postern = await openPostern();
    const { page, popups, profile } = postern;
    const at = page.url();
    const target = `${as.origin}/hostile`;
    await page.evaluate((url) => void window.open(url), target);
    const attempts = await page.evaluate(async (url) => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      const image = new Image();
      const frame = document.createElement('iframe');
      image.src = `${url}/image`;
      frame.src = `${url}/frame`;
      document.body.append(image, frame);
      return [
        await fetch(`${url}/fetch`, { mode: 'no-cors' }).then(
          () => 'sent',
          () => 'blocked',
        ),
        'ran' in window ? 'ran' : 'blocked',
        navigator.sendBeacon(`${url}/beacon`) ? 'queued' : 'blocked',
      ];
    }, target);
    expect(attempts.slice(0, 2)).toEqual(['blocked', 'blocked']);
    expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
    const file = path.join(profile, 'logs/postern.log');
    const log = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await page.evaluate((url) => void (location.href = url), target);
    // Nothing else changes when a navigation is rejected.
    await expect.poll(log).toContain('"code":"NAV_BLOCKED"');
    await expect.poll(() => frameIsShown(postern.window)).toBe(true);
    await expect.poll(() => page.url()).toBe(at);
    await expect.poll(popups).toEqual([]);
    expect(visits).toEqual([]);
    // A URL can contain a code, which the terminal or the journal would store.
    expect(postern.window.output() + log()).not.toContain(as.origin);
  });

  test('rejects unknown calls and calls with extra input (IP-06, IP-07)', async ({ openPostern }) => {
    const { page } = await openPostern();
    const codes = await page.evaluate(async () => {
      const { postern } = window as unknown as {
        postern: Record<string, Record<string, (input: unknown) => Promise<{ error?: { code: string } }>>>;
      };
      const ask = async (group: string, verb: string, input: unknown) =>
        (await postern[group]?.[verb]?.(input))?.error?.code ?? 'answered';
      return [
        await ask('integration', 'tools', { id: '../../vault' }),
        await ask('integration', 'tools', { id: 'none', extra: true }),
        await ask('integration', 'callTool', { id: 'none', name: 'x', arguments: 'x' }),
        await ask('connection', 'install', { ticketId: 'guessed' }),
        await ask('desktop', 'copy', { kind: 'token' }),
      ];
    });
    expect(codes).toEqual(['NOT_FOUND', 'IPC_SCHEMA', 'IPC_SCHEMA', 'TICKET_INVALID', 'IPC_SCHEMA']);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describeError } from '../../shared/error-codes.ts';
import { afterTest } from '../support/after-test.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { serveHttps } from '../support/loopback-server.ts';
import { recordArrivals } from '../support/record-arrivals.ts';
import { tryWebRtc } from '../support/try-webrtc.ts';
import { frameIsShown } from './kit/frame-is-shown.ts';
import type { Program } from './kit/open-program.ts';
import { look, start } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenProgram } from './kit/window-test.ts';

/** Plain http to another host, which no sign-in page may be led to; no resolver knows it (RFC 6761, 6.4). */
const nowhere = 'http://nowhere.invalid/';

/** A sign-in service whose page is hostile: whatever is asked of it, it answers with `html`. */
async function startHostile(html: string) {
  const visits: string[] = [];
  const answer = (response: ServerResponse, type: string, body: string): true => {
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
      return pathname === '/authorize' || pathname.startsWith('/hostile') ? answer(response, 'text/html', html) : false;
    },
  });
  return { ...pair, visits };
}

async function openHostilePopup(
  openProgram: OpenProgram,
  html: string,
  prepare: (program: Program) => Promise<unknown> = async () => {},
) {
  const pair = await startHostile(html);
  const program = await openProgram();
  await prepare(program);
  await look(program.page, pair.mcp.url);
  await start(program.page, 'Add and sign in');
  const popup = await program.popup(pair.as.origin);
  await popup.waitForLoadState();
  return { ...pair, program, popup };
}

const titles = (program: Program): Promise<string[]> =>
  program.window.evaluate(({ BaseWindow }) => BaseWindow.getAllWindows().map((window) => window.getTitle()));

test.describe('a sign-in page', () => {
  test('cannot reach the program, open windows, leave the web or ask for anything (AZ-31, AZ-32, AZ-33, AZ-34)', async ({
    openProgram,
  }) => {
    const { program, popup, as, visits } = await openHostilePopup(
      openProgram,
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
      'other-program:x',
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
      // Of HID, none of them is an answer as well.
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
    await expect(program.page.getByText(describeError('NAV_BLOCKED', {}).message)).toBeVisible();
    const log = readFileSync(path.join(program.profile, 'logs/postern.log'), 'utf8');
    expect(log).toContain('"event":"navigation-blocked","code":"NAV_BLOCKED"');
    // As the stand-in fails in the program where a window would have opened.
    expect(log).not.toContain('"event":"unexpected"');
    await expect.poll(() => program.popups().length).toBe(1);
    expect(await titles(program)).toContain(`${new URL(at).host} (not encrypted)`);
    expect((await titles(program)).join()).not.toContain('bank.example');
  });

  test('is led away by no frame and no redirect, and downloads nothing (AZ-32, AZ-34)', async ({ openProgram }) => {
    const { program, popup, as } = await openHostilePopup(openProgram, '<h1>Hello</h1>');
    // Told after the program's own guards, of what they have decided.
    await program.window.evaluate(({ webContents }, origin) => {
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
      program.window.evaluate(() => (globalThis as unknown as { refused: unknown }).refused);
    await popup.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }, nowhere);
    await expect.poll(refused).toEqual({ frame: true });
    await popup.evaluate(() => void (location.href = '/hostile/away'));
    await expect.poll(refused).toEqual({ frame: true, redirect: true });
    await popup.evaluate(() => void (location.href = '/file.zip'));
    await expect.poll(refused).toEqual({ frame: true, redirect: true, download: true });
  });

  test('is given no certificate of the person, no device and no webview (AZ-33, AZ-34)', async ({ openProgram }) => {
    type Allows = (details: object) => boolean;
    const { program, as } = await openHostilePopup(openProgram, '<h1>Hello</h1>', ({ window }) =>
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
    // There is no certificate, device or webview here to ask for, so the program is asked as Electron asks it.
    const answers = await program.window.evaluate(({ app, webContents }, origin) => {
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

  test('gets no password asked for, and none of its visitors past a certificate that is not valid (AZ-34)', async ({
    openProgram,
  }) => {
    const { program, popup, visits, as } = await openHostilePopup(openProgram, '<h1>Hello</h1>');
    const windows = (): Promise<number> =>
      program.window.evaluate(({ BaseWindow }) => BaseWindow.getAllWindows().length);
    const before = await windows();
    await popup.evaluate(() => void (location.href = '/hostile/locked'));
    await expect(popup.getByText('refused')).toBeVisible();
    expect(visits.filter((visit) => visit === '/hostile/locked')).toHaveLength(1);
    expect(await windows()).toBe(before);

    const forged = await serveHttps((_request, response) => void response.end('<h1>Forged</h1>'));
    afterTest(() => forged[Symbol.asyncDispose]());
    await popup.evaluate((target) => void (location.href = target), forged.origin);
    await expect.poll(() => forged.sockets.length).toBeGreaterThan(0);
    // It may go from one document to the next at any moment.
    await expect(popup.getByText('refused')).toHaveCount(0);
    await expect(popup.getByText('Forged')).toHaveCount(0);
    expect(forged.received()).toBe('');
    expect(await windows()).toBe(before);
    expect(requestsTo(as, '/token')).toEqual([]);
  });

  test('meets nothing of an earlier one (AZ-37)', async ({ openProgram }) => {
    const { program, popup, as, mcp } = await openHostilePopup(
      openProgram,
      `<h1>Hello</h1><script>
      window.found = [document.cookie, localStorage.getItem('account')];
      document.cookie = 'account=canary; max-age=3600';
      localStorage.setItem('account', 'canary');
    </script>`,
    );
    const found = (page: typeof popup): Promise<unknown> =>
      page.evaluate(() => (window as unknown as { found: unknown }).found);
    expect(await found(popup)).toEqual(['', null]);
    // In the same sign-in it is kept, so it would be seen.
    await popup.reload();
    expect(await found(popup)).toEqual(['account=canary', 'canary']);
    await program.page.getByRole('button', { name: 'Cancel sign-in' }).click();
    await expect.poll(() => program.popups()).toEqual([]);
    await look(program.page, mcp.url);
    await start(program.page, 'Add and sign in');
    const second = await program.popup(as.origin);
    await second.waitForLoadState();
    expect(await found(second)).toEqual(['', null]);
  });

  test('sends no datagram past the proxy, and learns no address of this computer (AZ-33)', async ({ openProgram }) => {
    await using arrivals = await recordArrivals();
    const { popup } = await openHostilePopup(openProgram, '<h1>Hello</h1>');
    const { tcp, udp } = arrivals;
    expect(await popup.evaluate(tryWebRtc, { tcp, udp })).toEqual([]);
    // By connections it may reach what any page may; the attack took place, and they may arrive after it.
    await expect.poll(() => arrivals.seen()).toContain('connection');
    expect(arrivals.seen().filter((line) => line.startsWith('datagram'))).toEqual([]);
  });

  test('cannot keep itself open, nor the program busy (AZ-36)', async ({ openProgram }) => {
    const { program, popup } = await openHostilePopup(
      openProgram,
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
    await program.page.getByRole('button', { name: 'Cancel sign-in' }).click();
    await expect.poll(() => program.popups()).toEqual([]);
    await expect(program.page.getByLabel('Server address')).toBeVisible();
  });
});

test.describe('the main window', () => {
  test('goes nowhere, opens nothing and reaches no network, even with a script of an attacker in it (IP-04, IP-10, IP-03)', async ({
    openProgram,
  }) => {
    const { visits, as } = await startHostile('<h1>Hello</h1>');
    const program = await openProgram();
    const { page, popups, profile } = program;
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
    // Nothing else has changed when a navigation was refused.
    await expect.poll(log).toContain('"code":"NAV_BLOCKED"');
    await expect.poll(() => frameIsShown(program.window)).toBe(true);
    await expect.poll(() => page.url()).toBe(at);
    await expect.poll(popups).toEqual([]);
    expect(visits).toEqual([]);
    // An address can hold a code, and the terminal or the journal keeps it.
    expect(program.window.output() + log()).not.toContain(as.origin);
  });

  test('answers no call that it does not know, and none with more than it asks for (IP-06, IP-07)', async ({
    openProgram,
  }) => {
    const { page } = await openProgram();
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
        await ask('app', 'copy', { kind: 'token' }),
      ];
    });
    expect(codes).toEqual(['NOT_FOUND', 'IPC_SCHEMA', 'IPC_SCHEMA', 'TICKET_INVALID', 'IPC_SCHEMA']);
  });
});

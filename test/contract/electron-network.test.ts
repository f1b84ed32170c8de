import { beforeAll, describe, expect, it } from 'vitest';
import { openElectronFixture } from '../support/electron-fixture.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { recordArrivals } from '../support/record-arrivals.ts';
import { tryWebRtc } from '../support/try-webrtc.ts';
import { windowRuntime } from '../support/window-runtime.ts';

/**
 * What `setWebRTCIPHandlingPolicy` and `setProxy` block, on Electron and on the stand-in alike; and that a page
 * does get out without them, so that a test of the app would notice their absence.
 */
let running: RunningWindow;

beforeAll(async () => {
  const fixture = await openElectronFixture();
  ({ running } = fixture);
  return fixture.close;
});

interface Setup {
  /** Of a session; the default one if absent. */
  readonly partition?: string;
  readonly policy?: 'disable_non_proxied_udp';
  readonly proxy?: { readonly proxyRules: string; readonly proxyBypassRules?: string };
}

interface Achieved {
  readonly datagrams: number;
  readonly connections: number;
}

/** What an attack in a blank page of such a session achieves; fails if that is less than `least`. */
async function attack(
  setup: Setup,
  least: Achieved = { datagrams: 0, connections: 0 },
): Promise<Achieved & { learned: string[] }> {
  await using arrivals = await recordArrivals();
  const { tcp, udp } = arrivals;
  const code = `fetch('http://127.0.0.1:${tcp}/', { mode: 'no-cors' }).catch(() => {}).then(() =>
    (${tryWebRtc.toString()})(${JSON.stringify({ tcp, udp })}))`;
  const { learned, id } = await running.evaluate(
    async ({ BrowserWindow, session }, { partition, policy, proxy, script }) => {
      const own = partition === undefined ? session.defaultSession : session.fromPartition(partition);
      if (proxy) await own.setProxy(proxy);
      const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
      if (policy) window.webContents.setWebRTCIPHandlingPolicy(policy);
      await window.loadURL('about:blank');
      return { learned: (await window.webContents.executeJavaScript(script)) as string[], id: window.id };
    },
    { ...setup, script: code },
  );
  const count = (): Achieved => ({
    datagrams: arrivals.log().filter((line) => line.startsWith('datagram')).length,
    connections: arrivals.log().filter((line) => line === 'connection').length,
  });
  await expect.poll(() => count().datagrams).toBeGreaterThanOrEqual(least.datagrams);
  await expect.poll(() => count().connections).toBeGreaterThanOrEqual(least.connections);
  await running.evaluate(({ BrowserWindow }, own) => BrowserWindow.fromId(own)?.destroy(), id);
  return { learned, ...count() };
}

const policy = 'disable_non_proxied_udp';
const nowhere = { proxyRules: 'http://127.0.0.1:0', proxyBypassRules: '<-loopback>' } as const;

describe(`the network of a page, on ${windowRuntime === 'electron' ? 'Electron' : 'the stand-in'}`, () => {
  it('is open to WebRTC by default', async () => {
    // The request, TURN over TCP, TURN over TLS, and the peer.
    const { learned } = await attack({ partition: 'open' }, { datagrams: 3, connections: 4 });
    expect(learned.join('\n')).toContain('typ host');
  });

  it('is open to datagrams that bypass a proxy by default', async () => {
    const setup = { partition: 'proxy', proxy: nowhere };
    expect(await attack(setup, { datagrams: 3, connections: 0 })).toMatchObject({ connections: 0 });
  });

  it('is open to this computer past a proxy without <-loopback>', async () => {
    const setup = { partition: 'bypass', proxy: { proxyRules: nowhere.proxyRules } };
    await attack(setup, { datagrams: 0, connections: 1 });
  });

  it('accepts no datagram under disable_non_proxied_udp, reveals no address, and accepts connections', async () => {
    const achieved = await attack({ partition: 'policy', policy }, { datagrams: 0, connections: 3 });
    expect(achieved).toMatchObject({ learned: [], datagrams: 0 });
  });

  it('accepts nothing under disable_non_proxied_udp and an unreachable proxy', async () => {
    expect(await attack({ partition: 'sealed', policy, proxy: nowhere })).toEqual({
      learned: [],
      datagrams: 0,
      connections: 0,
    });
  });

  it('accepts nothing from the default session either, whose own pages are still served (IP-04)', async () => {
    await attack({}, { datagrams: 0, connections: 4 });
    await running.evaluate(({ BrowserWindow }) => {
      for (const { webContents } of BrowserWindow.getAllWindows())
        webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    });
    expect(await attack({ policy, proxy: nowhere })).toEqual({ learned: [], datagrams: 0, connections: 0 });
    const [title, ownPolicy, defaultProxy, otherProxy] = await running.evaluate(async ({ BrowserWindow, session }) => {
      const [window] = BrowserWindow.getAllWindows();
      await window?.loadURL('app://contract/index.html?again');
      return [
        window?.webContents.getURL(),
        window?.webContents.getWebRTCIPHandlingPolicy(),
        await session.defaultSession.resolveProxy('http://127.0.0.1/'),
        await session.fromPartition('other').resolveProxy('http://127.0.0.1/'),
      ];
    });
    expect([title, ownPolicy]).toEqual(['app://contract/index.html?again', policy]);
    expect([defaultProxy, otherProxy]).toEqual(['PROXY 127.0.0.1:0', 'DIRECT']);
  });

  it.skipIf(windowRuntime === 'electron')('is refused by the stand-in if it could not be enforced', async () => {
    const refusals = await running.evaluate(async ({ BrowserWindow, session }) => {
      const first = session.fromPartition('refused');
      const windows = [0, 1].map(() => new BrowserWindow({ show: false, webPreferences: { session: first } }));
      windows[0]?.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
      const outcome = async (run: () => unknown): Promise<string> => {
        try {
          await run();
          return 'done';
        } catch (error) {
          return String(error);
        }
      };
      const differing = await outcome(() => windows[1]?.loadURL('about:blank'));
      const late = await outcome(() => first.setProxy({ proxyRules: 'http://127.0.0.1:0' }));
      const script = await outcome(() => session.fromPartition('script').setProxy({ pacScript: 'data:,' }));
      for (const window of windows) window.destroy();
      return [differing, late, script];
    });
    expect(refusals).toEqual([
      expect.stringContaining('not emulated: pages with different WebRTC policies at once'),
      expect.stringContaining('not emulated: setProxy of a session that has had a page'),
      expect.stringContaining('not emulated: setProxy with {"pacScript"'),
    ]);
  });
});

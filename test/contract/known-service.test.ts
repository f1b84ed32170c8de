import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as knownServers from '../../shared/known-servers.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** Any server counts as that of a service that accepts only `localhost`. */
beforeEach(() => {
  const find = vi.spyOn(knownServers, 'findKnownServer');
  const [anyOther] = knownServers.knownServers;
  if (anyOther) find.mockReturnValue({ ...anyOther, options: { callbackHost: 'localhost' } });
  onTestFinished(() => find.mockRestore());
});

it.each([
  ['with what it is known to need', [], 'localhost'],
  ['as the user chose instead', ['--callback-host', '127.0.0.1'], '127.0.0.1'],
])('a known service is connected by a command %s', async (_, chosen, host) => {
  const { mcp } = await startPair();
  const words = ['connect', mcp.url, '--local', ...chosen, '--json'];
  const { code, lines } = await runInProcess(words, { home: temporaryFolder() });
  expect(code).toBe(0);
  const page = lines.find(({ event }) => event === 'authorization')?.['url'];
  const callback = new URL(String(page)).searchParams.get('redirect_uri');
  expect(new URL(callback ?? '').hostname).toBe(host);
});

it('a known service from a list has its known requirements', async () => {
  const { mcp } = await startPair();
  const home = temporaryFolder();
  const stdin = JSON.stringify({ mcpServers: { Known: { url: mcp.url } } });
  await runInProcess(['import', '-', '--local', '--yes', '--json'], { home, stdin });
  const { last } = await runInProcess(['show', 'Known', '--json'], { home });
  expect(last).toMatchObject({ integration: { options: { callbackHost: 'localhost' } } });
});

it.each(['connect', 'discover'])(
  '%s names the new address of a known service, and uses the typed one',
  async (command) => {
    const { mcp } = await startPair();
    const [service] = knownServers.knownServers;
    const find = vi
      .spyOn(knownServers, 'findMoved')
      .mockImplementation((url) => (url === mcp.url ? service : undefined));
    onTestFinished(() => find.mockRestore());
    const { code, lines, last } = await runInProcess([command, mcp.url, '--local', '--json'], {
      home: temporaryFolder(),
    });
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'note', address: service?.address }));
    expect(JSON.stringify(last)).toContain(mcp.url);
  },
);

describe('a known service in the window', () => {
  async function open() {
    const pages: string[] = [];
    const desktop = await createTestDesktop({ onPage: (url) => void pages.push(url) });
    const { mcp } = await startPair();
    const discover = async (options: IpcInput<'connection:discover'>['options'], id?: string): Promise<string> => {
      const found = await desktop.call('connection:discover', { id, url: mcp.url, options });
      // The current state in main: the window may still show the earlier one.
      const state = async () =>
        (await desktop.call('desktop:snapshots', {})).connections.find((each) => each.id === found.id)?.state.name;
      await expect.poll(state).toBe('discovered');
      return found.id;
    };
    /** The host that the sign-in page redirects back to. */
    const start = async (id: string): Promise<string> => {
      await desktop.call('connection:start', { id });
      await expect.poll(() => pages).toHaveLength(1);
      return new URL(new URL(pages[0] ?? '').searchParams.get('redirect_uri') ?? '').hostname;
    };
    return { discover, start };
  }

  it.each([
    ['with what it is known to need', {}, 'localhost'],
    ['as the user chose instead', { callbackHost: '127.0.0.1' }, '127.0.0.1'],
  ] as const)('is connected %s', async (_, chosen, host) => {
    const { discover, start } = await open();
    expect(await start(await discover({ local: true, ...chosen }))).toBe(host);
  });

  it('keeps what the user chose instead if the same address is checked again', async () => {
    const { discover, start } = await open();
    const id = await discover({ local: true, callbackHost: '127.0.0.1' });
    expect(await start(await discover({}, id))).toBe('127.0.0.1');
  });
});

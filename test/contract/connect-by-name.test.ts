import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../main/engine/engine-ports.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { Integration } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A name identifies one server: a script that uses it must never get another server's tokens. */

function openProfile() {
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
  return {
    run,
    stored: () => openIntegrationStore({ folder: home, locks: createLocks(home) }).list(),
    runWith: (stdin: string, ...args: string[]) => runInProcess([...args, '--json'], { home, stdin }),
    runForPerson: (...args: string[]) => runInProcess(args, { home }),
    list: async () => (await run('list')).last['integrations'] as Pick<Integration, 'id' | 'name' | 'url'>[],
    token: async () => String((await run('token', 'Notes')).last['accessToken']),
  };
}

describe('connect without a name', () => {
  it('connects an address a second time, and names the other server that uses it', async () => {
    const { mcp } = await startPair();
    const { run, runForPerson, list } = openProfile();
    expect((await run('connect', mcp.url, '--local')).last).not.toHaveProperty('beside');
    const [first] = await list();
    expect((await run('connect', mcp.url, '--local')).last).toMatchObject({ beside: [first?.id] });
    const { stdout } = await runForPerson('connect', mcp.url, '--local');
    expect(stdout).toContain(`“${first?.name}”`);
    expect(await list()).toHaveLength(3);
  });
});

describe('connect with a name that exists', () => {
  it('signs in to the same server again, under its id', async () => {
    const { mcp } = await startPair();
    const { run, list, token } = openProfile();
    await run('connect', mcp.url, '--local', '--name', 'Notes');
    const [first] = await list();
    const before = await token();
    const again = await run('connect', mcp.url, '--local', '--name', 'Notes');
    expect(again).toMatchObject({ code: 0, last: { integration: { id: first?.id, name: 'Notes' } } });
    expect(await list()).toEqual([expect.objectContaining({ id: first?.id, name: 'Notes', url: mcp.url })]);
    expect(await token()).not.toBe(before);
    expect((await run('tools', 'Notes')).code).toBe(0);
  });

  it('stops for another address before anything opens, and moves the name with --replace', async () => {
    const [one, two] = [await startPair(), await startPair()];
    const { run, runForPerson, list, token } = openProfile();
    await run('connect', one.mcp.url, '--local', '--name', 'Notes');
    const before = await list();
    const refused = await run('connect', two.mcp.url, '--local', '--name', 'Notes');
    expect(refused).toMatchObject({
      code: 1,
      last: { error: { code: 'NAME_TAKEN', message: expect.stringContaining(new URL(one.mcp.url).host) } },
    });
    expect(two.mcp.requests).toEqual([]);
    expect(await list()).toEqual(before);

    const { stderr } = await runForPerson('connect', two.mcp.url, '--local', '--name', 'Notes');
    const advice = /`postern ([^`]+)`/u.exec(stderr)?.[1]?.split(' ') ?? [];
    expect(advice).toContain('--replace');
    const old = await token();
    const replaced = await run(...advice);
    expect(replaced).toMatchObject({ code: 0, last: { integration: { name: 'Notes', url: two.mcp.url } } });
    expect(replaced.last).toMatchObject({ replaced: { integration: { url: one.mcp.url }, revocation: 'revoked' } });
    expect(await list()).toEqual([expect.objectContaining({ name: 'Notes', url: two.mcp.url })]);
    expect(await token()).not.toBe(old);
  });

  it('keeps the old server if the new one cannot be connected', async () => {
    const { mcp } = await startPair();
    const { run, list } = openProfile();
    await run('connect', mcp.url, '--local', '--name', 'Notes');
    const before = await list();
    const failed = await run('connect', 'http://127.0.0.1:1/mcp', '--local', '--name', 'Notes', '--replace');
    expect(failed.code).toBe(1);
    expect(await list()).toEqual(before);
    expect((await run('tools', 'Notes')).code).toBe(0);
  });

  it('keeps options that the address needs, and drops all other earlier choices', async () => {
    const { mcp } = await startPair();
    const { run, stored } = openProfile();
    const reach = ['--local', '--allow-host', 'id.example.com'];
    const others = ['--pkce', 'always', '--callback-host', 'localhost'];
    expect((await run('connect', mcp.url, '--name', 'Notes', ...reach, ...others)).code).toBe(0);
    expect((await run('connect', mcp.url, '--name', 'Notes')).code).toBe(0);
    const [notes] = await stored();
    expect(notes?.options).toEqual({ ...defaultOptions, local: true, allowedHosts: ['id.example.com'] });
  });

  it('gives the same server another API key', async () => {
    const mcp = await startResource(undefined, {
      intercept: (request, response) => {
        if (request.headers['x-api-key'] === accepted) return false;
        response.writeHead(401).end();
        return true;
      },
    });
    let accepted = 'one';
    const { runWith, run, list } = openProfile();
    const connect = ['connect', mcp.url, '--local', '--name', 'Notes', '--header', 'X-API-Key', '--header-value-stdin'];
    expect((await runWith('one\n', ...connect)).code).toBe(0);
    const before = await list();
    accepted = 'two';
    expect((await run('tools', 'Notes')).code).toBe(3);
    // The options of its address stay, and white space around a key is ignored.
    expect((await runWith(' two \n', ...connect.filter((word) => word !== '--local'))).code).toBe(0);
    expect((await list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await run('tools', 'Notes')).code).toBe(0);
  });
});

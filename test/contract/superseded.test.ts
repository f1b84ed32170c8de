import { describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import type { SignInInteraction } from '../../main/engine/sign-in/sign-in-interaction.ts';
import { callTool } from '../../main/engine/use/use-server.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { leaseCheckInterval } from '../../main/limits.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { createSignInLeases } from '../../main/storage/profile/sign-in-leases.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { Integration } from '../../shared/integration.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import type { SignInChoice } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { localOptions } from '../support/local-options.ts';
import { startPostern } from '../support/postern-process.ts';
import type { PosternProcess, PosternResult } from '../support/postern-process.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** AZ-06: one integration, two processes of one profile; oidc-provider, real HTTP, the command line as a process. */

const sentence = describeError('FLOW_SUPERSEDED', {}).message;

async function waitForPage(process: PosternProcess): Promise<{ url: string; callbackUrl: string }> {
  const [line] = await process.waitFor(/^\{"event":"authorization".*$/mu);
  return JSON.parse(line) as { url: string; callbackUrl: string };
}

function expectSuperseded({ code, last }: PosternResult): void {
  expect({ code, last }).toEqual({
    code: 1,
    last: {
      result: 'error',
      error: expect.objectContaining({ code: 'FLOW_SUPERSEDED', stage: 'authorization', message: sentence }),
    },
  });
}

/** A profile with one server that the user has signed out of. */
async function openSignedOut(intercept?: Parameters<typeof startPair>[0]) {
  const pair = await startPair(intercept);
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
  const start = (...args: string[]) => startPostern([...args, '--json'], { home });
  expect(await run('connect', pair.mcp.url, '--local', '--name', 'Demo')).toMatchObject({ code: 0 });
  expect(await run('sign-out', 'Demo')).toMatchObject({ code: 0 });
  const before = pair.as.requests.length;
  /** Since then. */
  const requests = (path: string) =>
    requestsTo(pair.as, path).filter((request) => pair.as.requests.indexOf(request) >= before);
  return { ...pair, home, run, start, requests };
}

describe('a newer sign-in of another process', () => {
  it('ends the older one, takes its port and keeps its own tokens', async () => {
    const { requests, run, start } = await openSignedOut();
    const older = start('tools', 'Demo', '--sign-in', 'print');
    const olderPage = await waitForPage(older);
    const newer = start('tools', 'Demo', '--sign-in', 'print');
    const newerPage = await waitForPage(newer);
    expectSuperseded(await older.ended);
    expect(newerPage.callbackUrl).toBe(olderPage.callbackUrl);
    // The old page is still open in some browser: its callback means nothing to the newer sign-in.
    const late = await completeSignIn(olderPage.url, { user: 'grace' });
    expect(late).toMatchObject({ status: 400, text: expect.stringContaining('newer') });
    await completeSignIn(newerPage.url, { user: 'ada' });
    expect(await newer.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
    expect(requests('/token')).toHaveLength(1);
    expect(requests('/register')).toEqual([]);
    expect((await run('call', 'Demo', 'whoami')).last).toMatchObject({
      content: [{ text: expect.stringMatching(/ada/iu) }],
    });
  });

  it('is reported to the user on the terminal', async () => {
    const { home, start } = await openSignedOut();
    const older = startPostern(['tools', 'Demo', '--sign-in', 'print'], { home });
    await older.waitFor(/\/authorize\?/u);
    const newer = start('tools', 'Demo', '--sign-in', 'print');
    const { code, stderr } = await older.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
    newer.kill('SIGTERM');
    expect(await newer.ended).toMatchObject({ code: 130 });
  });

  it('is not blocked by one whose process was killed', async () => {
    const { run, start } = await openSignedOut();
    const killed = start('tools', 'Demo', '--sign-in', 'print');
    await waitForPage(killed);
    killed.kill('SIGKILL');
    await killed.ended;
    for (let time = 0; time < 2; time += 1) {
      expect(await run('tools', 'Demo', '--sign-in', 'browser')).toMatchObject({ code: 0, last: { result: 'ok' } });
    }
  });

  it('finishes while a suspended one holds the port, which ends once it resumes', async () => {
    const { requests, start } = await openSignedOut();
    const older = start('tools', 'Demo', '--sign-in', 'print');
    const olderPage = await waitForPage(older);
    older.kill('SIGSTOP');
    const newer = start('tools', 'Demo', '--sign-in', 'print');
    const newerPage = await waitForPage(newer);
    expect(newerPage.callbackUrl).not.toBe(olderPage.callbackUrl);
    await completeSignIn(newerPage.url);
    expect(await newer.ended).toMatchObject({ code: 0 });
    const landing = completeSignIn(olderPage.url).catch(() => undefined);
    older.kill('SIGCONT');
    expectSuperseded(await older.ended);
    await landing;
    expect(requests('/token')).toHaveLength(1);
  });

  it('does not touch the sign-in of another integration', async () => {
    const { start, mcp } = await openSignedOut();
    const one = start('tools', 'Demo', '--sign-in', 'print');
    const onePage = await waitForPage(one);
    const other = start('connect', mcp.url, '--local', '--name', 'Other', '--sign-in', 'print');
    const otherPage = await waitForPage(other);
    await completeSignIn(otherPage.url);
    expect(await other.ended).toMatchObject({ code: 0 });
    await completeSignIn(onePage.url);
    expect(await one.ended).toMatchObject({ code: 0 });
  });
});

describe('two first connections to one address', () => {
  interface Listed {
    readonly id: string;
    readonly name: string;
    readonly url: string;
  }

  async function listIn(home: string): Promise<readonly Listed[]> {
    const { last } = await runInProcess(['list', '--json'], { home });
    return last['integrations'] as readonly Listed[];
  }

  async function expectToWork(home: string, names: readonly string[], url: string): Promise<void> {
    const listed = await listIn(home);
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names);
    for (const entry of listed) {
      expect(entry).toMatchObject({ url, state: 'integrated' });
      expect(await runInProcess(['call', entry.name, 'whoami', '--json'], { home })).toMatchObject({ code: 0 });
    }
  }

  it.each([
    ['a name from its host', [], ['127.0.0.1', '127.0.0.1 2']],
    ['the same typed name', ['--name', 'Notes'], ['Notes', 'Notes 2']],
  ])('both sign in and work, with %s', async (_, words, names) => {
    const { mcp } = await startPair();
    const home = temporaryFolder();
    const connect = () =>
      startPostern(['connect', mcp.url, '--local', ...words, '--sign-in', 'print', '--json'], { home });
    const one = connect();
    const onePage = await waitForPage(one);
    const other = connect();
    const otherPage = await waitForPage(other);
    expect(otherPage.callbackUrl).not.toBe(onePage.callbackUrl);
    await Promise.all([completeSignIn(onePage.url, { user: 'ada' }), completeSignIn(otherPage.url, { user: 'grace' })]);
    const ended = await Promise.all([one.ended, other.ended]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const serverNames = ended.map(({ last }) => (last['integration'] as Listed).name);
    expect(serverNames.toSorted()).toEqual(names);
    await expectToWork(home, names, mcp.url);
    const accounts = serverNames.map((name) => runInProcess(['call', name, 'whoami', '--json'], { home }));
    const [first, second] = (await Promise.all(accounts)).map(({ last }) => JSON.stringify(last['content']));
    expect(first).toMatch(/ada/iu);
    expect(second).toMatch(/grace/iu);
  });

  it("that both take another server's name leave one with that name", async () => {
    const [before, { mcp }] = [await startPair(), await startPair()];
    const home = temporaryFolder();
    const old = await runInProcess(['connect', before.mcp.url, '--local', '--name', 'Notes', '--json'], { home });
    expect(old).toMatchObject({ code: 0 });
    const words = ['connect', mcp.url, '--local', '--name', 'Notes', '--replace', '--sign-in', 'print', '--json'];
    const both = [startPostern(words, { home }), startPostern(words, { home })];
    const pages = await Promise.all(both.map(waitForPage));
    for (const [index, { url }] of pages.entries()) {
      await completeSignIn(url);
      expect(await both[index]?.ended).toMatchObject({ code: 0 });
    }
    await expectToWork(home, ['Notes', 'Notes 2'], mcp.url);
  });

  it('at a fixed port run one after the other: the second says so before anything opens (AZ-21)', async () => {
    const typed = { id: 'typed-client', secret: 'typed secret' };
    const redirectUris = ['http://127.0.0.1/integration/oauth/callback'];
    const { mcp } = await startPair({
      registration: 'off',
      typedClients: [{ ...typed, redirectUris, applicationType: 'native' }],
    });
    const home = temporaryFolder();
    const connect = (): PosternProcess => {
      const words = ['connect', mcp.url, '--local', '--client-id', typed.id, '--client-secret-stdin'];
      const process = startPostern([...words, '--sign-in', 'print', '--json'], { home });
      process.type(`${typed.secret}\n`);
      return process;
    };
    const one = connect();
    const onePage = await waitForPage(one);
    const refused = await connect().ended;
    expect(refused).toMatchObject({ code: 1, last: { error: { code: 'PORT_UNAVAILABLE' } } });
    expect(refused.stdout).not.toContain('"event":"authorization"');
    await completeSignIn(onePage.url);
    expect(await one.ended).toMatchObject({ code: 0 });
    const other = connect();
    await completeSignIn((await waitForPage(other)).url);
    expect(await other.ended).toMatchObject({ code: 0 });
    await expectToWork(home, ['127.0.0.1', '127.0.0.1 2'], mcp.url);
  });
});

/** Two engines as two processes have them; the older never polls on its own. */
async function openTwo(intercept?: NonNullable<Parameters<typeof startPair>[0]>['intercept']) {
  const { as, mcp } = await startPair({ ...(intercept && { intercept }) });
  const folder = temporaryFolder();
  const [older, newer] = [openProfileEngine(folder), openProfileEngine(folder)];
  onTestFinished(async () => void (await Promise.all([older.close(), newer.close()])));
  const signal = new AbortController().signal;
  const request = { url: mcp.url, options: localOptions, surface: 'test' };
  const { integration } = await connectServer(newer.ports, request, createUser().interaction, signal);
  const busy: EnginePorts = {
    ...older.ports,
    clock: {
      ...systemClock,
      after: (milliseconds, run) =>
        milliseconds === leaseCheckInterval ? () => {} : systemClock.after(milliseconds, run),
    },
  };
  return { as, integration, older: busy, newer: newer.ports, signal };
}

/** Goes to the callback when `allowed` resolves; `page` is what the user reads there. */
function createUser(choice: SignInChoice = {}, allowed: Promise<void> = Promise.resolve()) {
  const opened = Promise.withResolvers<void>();
  const page = Promise.withResolvers<string>();
  const interaction: SignInInteraction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    async open({ url }) {
      opened.resolve();
      await allowed;
      page.resolve((await completeSignIn(url, choice)).text);
    },
  };
  return { interaction, opened: opened.promise, page: page.promise };
}

async function whoIs(ports: EnginePorts, integration: Integration, signal: AbortSignal): Promise<string> {
  const stored = (await ports.store.read(integration.id)) ?? integration;
  return JSON.stringify((await callTool(ports, stored, { name: 'whoami', arguments: {} }, { signal })).content);
}

describe('the older sign-in, if it has not noticed', () => {
  it('redeems no code: its callback page says so, and nothing is requested or stored (AZ-06)', async () => {
    const { as, integration, older, newer, signal } = await openTwo();
    const gate = Promise.withResolvers<void>();
    const late = createUser({ user: 'grace' }, gate.promise);
    const ending = reauthenticate(older, integration, {}, late.interaction, signal).catch((error: unknown) => error);
    await late.opened;
    // The older holds the port without noticing: the newer picks another.
    await reauthenticate(newer, integration, {}, createUser({ user: 'ada' }).interaction, signal);
    const exchanged = requestsTo(as, '/token').length;
    gate.resolve();
    expect(await ending).toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(await late.page).toContain(sentence);
    expect(requestsTo(as, '/token')).toHaveLength(exchanged);
    expect(await whoIs(newer, integration, signal)).toMatch(/ada/iu);
  });

  it('stores no tokens that arrived after the newer one was started (AZ-06)', async () => {
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let holds = false;
    const { integration, older, newer, signal } = await openTwo(async ({ url }) => {
      if (!holds || url !== '/token') return false;
      holds = false;
      held.resolve();
      await release.promise;
      return false;
    });
    holds = true;
    const ending = reauthenticate(older, integration, {}, createUser({ user: 'grace' }).interaction, signal).catch(
      (error: unknown) => error,
    );
    await held.promise;
    await reauthenticate(newer, integration, {}, createUser({ user: 'ada' }).interaction, signal);
    release.resolve();
    expect(await ending).toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(await whoIs(newer, integration, signal)).toMatch(/ada/iu);
  });
});

describe('in the window', () => {
  it('closes the popup, says why, and can be started again; a second start of its own focuses the first (AZ-06)', async () => {
    const { mcp } = await startPair();
    let approves = true;
    const desktop = await createTestDesktop({
      persistent: true,
      onPage: (url) => void (approves && completeSignIn(url).catch(() => {})),
    });
    const first = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    await desktop.connection(first.id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id: first.id });
    const ticketId = ticketOf(await desktop.connection(first.id, hasTicket)) ?? '';
    const { integrationId: id } = await desktop.call('connection:install', { ticketId });
    approves = false;

    const { connectionId } = await desktop.call('integration:signInAgain', { id });
    await desktop.connection(connectionId, ({ pending }) => pending?.surface === 'popup');
    expect(await desktop.call('integration:signInAgain', { id })).toEqual({ connectionId });
    expect(desktop.popups.map(({ isOpen, focused }) => ({ isOpen, focused }))).toEqual([
      { isOpen: false, focused: 0 },
      { isOpen: true, focused: 1 },
    ]);

    const { folder } = desktop.engine;
    const command = createSignInLeases({ folder, locks: createLocks(folder) });
    const lease = await command.acquire(id);
    const ended = await desktop.connection(connectionId, ({ state }) => state.name === 'failed');
    expect(ended.state).toMatchObject({ error: { code: 'FLOW_SUPERSEDED', message: sentence } });
    expect(ended.pending).toBeUndefined();
    expect(desktop.popups.map(({ isOpen }) => isOpen)).toEqual([false, false]);
    await lease.release();

    await desktop.call('connection:tryAgain', { id: connectionId });
    await desktop.connection(connectionId, ({ pending }) => pending?.surface === 'popup');
    await desktop.call('connection:cancel', { id: connectionId });
  });
});

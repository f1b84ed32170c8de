import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../../main/engine/connect/connect-server.ts';
import type { RecordedRequest } from '../../demo/authorization-server-options.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { startPair } from '../../support/demo-pair.ts';
import type { DemoPair } from '../../support/demo-pair.ts';
import { bundleEngineProcess, startEngine } from '../../support/engine-in-process.ts';
import { openProfileEngine } from '../../support/profile-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';

const rounds = 20;
const parallel = 5;

/** oidc-provider with rotation, where reuse of a refresh token ends the grant; the MCP server rejects on demand. */
async function startRejecting() {
  const rejected = new Set<string>();
  let arrival = Promise.withResolvers<void>();
  let gate: PromiseWithResolvers<'release' | 'drop'> | undefined;
  const pair = await startPair(
    {
      intercept: async ({ url }) => {
        if (url !== '/token' || !gate) return false;
        const held = gate;
        gate = undefined;
        arrival.resolve();
        return (await held.promise) === 'drop';
      },
    },
    { reject: (token) => rejected.has(token) },
  );
  let last: PromiseWithResolvers<'release' | 'drop'> | undefined;
  return {
    ...pair,
    /** From now on the last token that worked is rejected. */
    rejectCurrent() {
      const current = pair.mcp.requests.findLast(({ token, status }) => token !== undefined && status === 200)?.token;
      if (current === undefined) throw new Error('no token has worked yet');
      rejected.add(current);
    },
    /** The next token request is held before the authorization server sees it. */
    hold() {
      arrival = Promise.withResolvers();
      gate = last = Promise.withResolvers();
    },
    isHeld: () => arrival.promise,
    release: () => last?.resolve('release'),
    drop: () => last?.resolve('drop'),
  };
}

const isRefresh = ({ path, body }: RecordedRequest): boolean =>
  path === '/token' && body?.['grant_type'] === 'refresh_token';
const refreshes = ({ as }: DemoPair) => as.requests.filter(isRefresh);
const answeredRefreshes = (pair: DemoPair) => refreshes(pair).filter(({ status }) => status !== undefined);
const windows = ({ as }: DemoPair) => as.requests.filter(({ path }) => path === '/authorize');

beforeAll(bundleEngineProcess);

describe('a token that the server rejects, with rotation and an end of the grant on reuse (RFC 9700 4.14.2)', () => {
  it('costs one refresh and no window for 5 parallel calls of one process, 20 times', async () => {
    const pair = await startRejecting();
    const engine = createTestEngine();
    const { integration } = await engine.connect(pair.mcp.url);
    for (let round = 1; round <= rounds; round += 1) {
      pair.rejectCurrent();
      const calls = Array.from({ length: parallel }, () => engine.tools(integration));
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: parallel }, () => 'fulfilled'));
      expect(refreshes(pair)).toHaveLength(round);
    }
    expect(windows(pair)).toHaveLength(1);
    expect(refreshes(pair).map(({ status }) => status)).toEqual(Array.from({ length: rounds }, () => 200));
    expect(await engine.read(integration)).toMatchObject({ state: 'integrated' });
  });

  it('costs one refresh and no window for one call in each of 5 processes, 20 times (RF-06)', async () => {
    const pair = await startRejecting();
    const folder = temporaryFolder();
    const id = await signInTo(folder, pair.mcp.url);
    const processes = await Promise.all(Array.from({ length: parallel }, () => startEngine(folder)));
    await Promise.all(processes.map((engine) => engine.run({ do: 'tools', id })));
    for (let round = 1; round <= rounds; round += 1) {
      pair.rejectCurrent();
      const outcomes = await Promise.all(processes.map((engine) => engine.run({ do: 'tools', id })));
      expect(outcomes).toEqual(Array.from({ length: parallel }, () => ({ ok: true })));
      expect(refreshes(pair)).toHaveLength(round);
    }
    expect(windows(pair)).toHaveLength(1);
  });

  it('is read from the winner by processes that wanted to refresh at the same time', async () => {
    const pair = await startRejecting();
    const folder = temporaryFolder();
    const id = await signInTo(folder, pair.mcp.url);
    const processes = await Promise.all(Array.from({ length: parallel }, () => startEngine(folder)));
    for (let round = 0; round < 5; round += 1) {
      const before = refreshes(pair).length;
      const outcomes = await Promise.all(processes.map((engine) => engine.run({ do: 'refresh', id })));
      expect(outcomes).toEqual(Array.from({ length: parallel }, () => ({ ok: true })));
      const made = refreshes(pair).slice(before);
      expect(made.length).toBeGreaterThanOrEqual(1);
      expect(made.every(({ status }) => status === 200)).toBe(true);
    }
    expect(await processes[0]?.run({ do: 'tools', id })).toEqual({ ok: true });
  });
});

describe('a process that refreshes', () => {
  it('and is killed before the server has seen it leaves the rest to the next, which sends once more (RF-08)', async () => {
    const server = await startRejecting();
    const { first, second, id } = await startTwo(server);
    server.hold();
    const lost = first.run({ do: 'tools', id });
    await server.isHeld();
    const waiting = second.run({ do: 'tools', id });
    first.kill('SIGKILL');
    await expect(lost).rejects.toThrow('ended');
    server.drop();
    expect(await waiting).toEqual({ ok: true });
    expect(answeredRefreshes(server)).toHaveLength(1);
    expect(windows(server)).toHaveLength(1);
  });

  it('and is killed after the server rotated ends in one demand to sign in, without a loop (RF-02)', async () => {
    const server = await startRejecting();
    const { first, second, id, folder } = await startTwo(server);
    server.hold();
    const lost = first.run({ do: 'tools', id });
    await server.isHeld();
    first.kill('SIGSTOP');
    server.release();
    await expect.poll(() => answeredRefreshes(server)).toHaveLength(1);
    first.kill('SIGKILL');
    await expect(lost).rejects.toThrow('ended');
    expect(await second.run({ do: 'tools', id })).toEqual({ ok: false, code: 'REFRESH_REVOKED' });
    expect(await second.run({ do: 'tools', id })).toEqual({ ok: false, code: 'SIGN_IN_REQUIRED' });
    expect(answeredRefreshes(server).map(({ status }) => status)).toEqual([200, 400]);
    expect(windows(server)).toHaveLength(1);
    const { store } = openProfileEngine(folder).ports;
    expect(await store.read(id)).toMatchObject({ state: 'reauthenticationRequired' });
  });

  it('and is stopped for a while blocks the others instead of refreshing twice, and they use its tokens (RF-08)', async () => {
    const server = await startRejecting();
    const { first, second, id } = await startTwo(server);
    server.hold();
    const stopped = first.run({ do: 'tools', id });
    await server.isHeld();
    first.kill('SIGSTOP');
    server.release();
    const waiting = second.run({ do: 'tools', id });
    await expect.poll(() => server.mcp.requests.filter(({ status }) => status === 401)).toHaveLength(2);
    await expect.poll(() => answeredRefreshes(server)).toHaveLength(1);
    first.kill('SIGCONT');
    expect(await stopped).toEqual({ ok: true });
    expect(await waiting).toEqual({ ok: true });
    expect(refreshes(server)).toHaveLength(1);
  });
});

async function signInTo(folder: string, url: string): Promise<string> {
  const { ports, close } = openProfileEngine(folder);
  onTestFinished(close);
  const { interaction } = createTestEngine();
  const options = anIntegration().options;
  const request = { url, options: { ...options, local: true }, surface: 'test' };
  const { integration } = await connectServer(ports, request, interaction, new AbortController().signal);
  return integration.id;
}

/** Two engines on one profile that is signed in, its token rejected from now on. */
async function startTwo(server: Awaited<ReturnType<typeof startRejecting>>) {
  const folder = temporaryFolder();
  const id = await signInTo(folder, server.mcp.url);
  const [first, second] = await Promise.all([startEngine(folder), startEngine(folder)]);
  server.rejectCurrent();
  return { folder, id, first, second };
}

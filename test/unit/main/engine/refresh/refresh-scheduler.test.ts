import { describe, expect, it } from 'vitest';
import { loadCredentials, saveCredentials, saveTokens } from '../../../../../main/engine/records/stored-secrets.ts';
import { RefreshScheduler } from '../../../../../main/engine/refresh/refresh-scheduler.ts';
import type { RefreshStatus } from '../../../../../main/engine/refresh/refresh-scheduler.ts';
import { refreshStoredTokens } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import { UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { storedStatus } from '../../../../../main/stored-status.ts';
import type { TokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { createRefreshWorld, settle } from '../../../../support/refresh-world.ts';
import type { RefreshWorld, TokenReply } from '../../../../support/refresh-world.ts';

const minutes = 60_000;
const offline = new UnsentRequest('DNS_FAIL', { stage: 'refresh' });
const dead: TokenReply = { status: 400, body: '{"error":"invalid_grant"}' };

function schedule(world: RefreshWorld) {
  const reports: { id: string; status: RefreshStatus | undefined }[] = [];
  const scheduler = new RefreshScheduler(world.ports, (id, status) => reports.push({ id, status }));
  return {
    scheduler,
    reports,
    async start() {
      await scheduler.review();
      await this.pass(0);
    },
    async pass(milliseconds: number) {
      world.clock.advance(milliseconds);
      await settle();
    },
    /** In steps, since timers start further timers. */
    async passSlowly(milliseconds: number, step = 1_000) {
      for (let passed = 0; passed < milliseconds; passed += step) await this.pass(step);
    },
    async wake() {
      scheduler.wake();
      await this.pass(2_000);
    },
  };
}

describe('RefreshScheduler', () => {
  it('refreshes once 5 to 4 minutes before a one-hour token expires, and plans the next refresh', async () => {
    const world = createRefreshWorld(3_600);
    await world.signIn('one');
    const run = schedule(world);
    const { scheduler } = run;
    await run.start();
    const planned = (scheduler.status('one')?.nextRefreshAt ?? 0) - world.clock.now();
    expect(planned).toBeGreaterThanOrEqual(55 * minutes);
    expect(planned).toBeLessThanOrEqual(56 * minutes);
    await run.passSlowly(55 * minutes - 1, minutes);
    expect(world.sent).toEqual([]);
    await run.passSlowly(2 * minutes);
    expect(world.sent).toEqual(['r:one:1']);
    expect(world.grants.reuses).toEqual([]);
    expect((await world.tokens('one'))?.accessToken.reveal()).toBe('a:one:2');
    expect((scheduler.status('one')?.nextRefreshAt ?? 0) - world.clock.now()).toBeGreaterThan(50 * minutes);
  });

  it('never sets a timer beyond a quarter of an hour, to notice other processes and clock changes', async () => {
    const world = createRefreshWorld(30 * 86_400);
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    await world.signIn('one', { life: 600 });
    await run.passSlowly(15 * minutes, minutes);
    expect(world.sent).toEqual(['r:one:1']);
  });

  it('runs at most four refreshes at a time if all came due during sleep (RF-15)', async () => {
    const world = createRefreshWorld();
    const ids = Array.from({ length: 20 }, (_, index) => `n${index}`);
    for (const id of ids) await world.signIn(id);
    const run = schedule(world);
    const gates: (() => void)[] = [];
    let maxOpen = 0;
    let open = 0;
    const { exchange } = world.ports.http;
    Object.assign(world.ports.http, {
      exchange: async (request: Parameters<typeof exchange>[0]) => {
        open += 1;
        maxOpen = Math.max(maxOpen, open);
        await new Promise<void>((resolve) => gates.push(resolve));
        open -= 1;
        return exchange(request);
      },
    });
    await run.start();
    // Only the wall clock: timers were asleep, too.
    world.clock.setWall(world.clock.now() + 8 * 60 * minutes);
    await run.wake();
    expect(open).toBe(4);
    while (gates.length > 0) {
      gates.shift()?.();
      await settle();
    }
    expect(maxOpen).toBe(4);
    expect(new Set(world.sent).size).toBe(20);
    expect(world.sent).toHaveLength(20);
  });

  it.each([500, 503, 507])('reports %i, retries on its own, and recovers', async (status) => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => ({ status });
    await run.passSlowly(75 * minutes, minutes);
    const { error, nextRefreshAt = 0 } = run.scheduler.status('one') ?? {};
    expect(error?.code).toBe('REFRESH_TRANSIENT');
    expect(nextRefreshAt).toBeGreaterThan(world.clock.now());
    expect((await world.ports.store.read('one'))?.state).toBe('integrated');
    expect(world.sent.length).toBeGreaterThan(2);
    expect(world.sent.length).toBeLessThan(20);
    world.answer = () => undefined;
    await run.passSlowly(7 * minutes, minutes);
    expect(run.scheduler.status('one')?.error).toBeUndefined();
    expect((await world.tokens('one'))?.accessToken.reveal()).toBe('a:one:2');
  });

  it('renews a token that the MCP server refused during an outage as soon as the service is back', async () => {
    const world = createRefreshWorld();
    const integration = await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => ({ status: 500 });
    const seen = await world.tokens('one');
    if (!seen) throw new Error('no tokens');
    const refused = refreshStoredTokens(world.ports, integration, seen, 'refused', new AbortController().signal);
    await expect(refused).rejects.toMatchObject({ code: 'REFRESH_TRANSIENT' });
    await run.scheduler.review();
    await run.pass(0);
    expect(run.scheduler.status('one')?.error?.code).toBe('REFRESH_TRANSIENT');
    world.answer = () => undefined;
    await run.passSlowly(2 * minutes);
    expect(run.scheduler.status('one')?.error).toBeUndefined();
    expect((await world.tokens('one'))?.accessToken.reveal()).toBe('a:one:2');
  });

  it('notices at once that another process renewed the tokens during a pause', async () => {
    const world = createRefreshWorld();
    const integration = await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => ({ status: 500, headers: { 'retry-after': '240' } });
    await run.passSlowly(56 * minutes, minutes);
    expect(run.scheduler.status('one')?.error?.code).toBe('REFRESH_TRANSIENT');
    world.answer = () => undefined;
    const seen = await world.tokens('one');
    if (!seen) throw new Error('no tokens');
    await refreshStoredTokens(world.ports, integration, seen, 'requested', new AbortController().signal);
    await run.scheduler.review();
    await settle();
    await run.pass(0);
    expect(run.scheduler.status('one')?.error).toBeUndefined();
  });

  it('reports the expiry of an access token without a refresh token', async () => {
    const world = createRefreshWorld();
    const integration = await world.signIn('one');
    const { refreshToken: _none, ...bare } = (await world.tokens('one')) ?? {};
    await saveTokens(world.vault, integration, bare as TokenSet);
    const run = schedule(world);
    await run.start();
    await run.passSlowly(50 * minutes, minutes);
    expect(run.scheduler.status('one')?.error).toBeUndefined();
    await run.passSlowly(10 * minutes, minutes);
    expect(run.scheduler.status('one')?.error?.code).toBe('SIGN_IN_REQUIRED');
    const entry = await world.ports.store.read('one');
    expect(entry && storedStatus({ ...entry, hasRefreshToken: false }, world.clock.now())).toBe('signInAgain');
    expect(world.sent).toEqual([]);
  });

  it('backs off up to five minutes while offline, keeps the tokens and reports the next retry', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => offline;
    await run.passSlowly(57 * minutes, minutes);
    const waits: number[] = [];
    for (let tries = 0; tries < 14; tries += 1) {
      const status = run.scheduler.status('one');
      expect(status?.error?.code).toBe('REFRESH_TRANSIENT');
      const wait = (status?.nextRefreshAt ?? 0) - world.clock.now();
      waits.push(wait);
      await run.pass(wait);
    }
    expect(waits[0]).toBeLessThanOrEqual(5 * minutes);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5 * minutes);
    expect(waits.slice(-3).every((wait) => wait >= 2.5 * minutes)).toBe(true);
    expect((await world.tokens('one'))?.refreshToken?.reveal()).toBe('r:one:1');
    expect((await world.ports.store.read('one'))?.state).toBe('integrated');
  });

  it('retries at once when the computer wakes up or the network is back (RF-15)', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => offline;
    await run.passSlowly(80 * minutes, minutes);
    world.answer = () => undefined;
    const before = world.sent.length;
    await run.wake();
    expect(world.sent).toHaveLength(before + 1);
    expect(run.scheduler.status('one')?.error).toBeUndefined();
    expect((await world.tokens('one'))?.accessToken.reveal()).toBe('a:one:2');
  });

  it('waits for Retry-After, even when the computer wakes up', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await run.passSlowly(56 * minutes, minutes);
    expect(world.sent).toHaveLength(1);
    const rest = (run.scheduler.status('one')?.nextRefreshAt ?? 0) - world.clock.now();
    expect(rest).toBeGreaterThan(8 * minutes);
    await run.wake();
    await run.passSlowly(7 * minutes, minutes);
    expect(world.sent).toHaveLength(1);
    world.answer = () => undefined;
    await run.passSlowly(6 * minutes, minutes);
    expect(world.sent).toHaveLength(2);
  });

  it('never extends a pause, however often it reviews the list meanwhile', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    // Pauses that end soon after a review.
    world.answer = () => ({ status: 429, headers: { 'retry-after': '900' } });
    await run.passSlowly(6 * 60 * minutes, minutes);
    const planned = run.reports.flatMap(({ status }) => (status?.error ? [status.nextRefreshAt] : []));
    expect(planned.length).toBeGreaterThan(world.sent.length);
    expect(new Set(planned).size).toBe(world.sent.length);
  });

  it('reports once that the user must sign in, sends nothing more, and resumes after a new sign-in', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    world.answer = () => dead;
    await run.passSlowly(3 * 60 * minutes, minutes);
    await run.wake();
    expect(world.sent).toHaveLength(1);
    expect(run.reports.filter(({ status }) => status?.error?.code === 'REFRESH_REVOKED')).toHaveLength(1);
    expect((await world.ports.store.read('one'))?.state).toBe('reauthenticationRequired');

    world.answer = () => undefined;
    await world.signIn('one');
    await run.scheduler.review();
    await run.passSlowly(57 * minutes, minutes);
    expect(world.sent).toHaveLength(2);
  });

  it.each(['registered', 'typed'] as const)(
    'retries a refused %s client after growing pauses, and recovers (RFC 6749 5.2)',
    async (source) => {
      const world = createRefreshWorld();
      const integration = await world.signIn('one');
      const { issuerKey = '' } = integration;
      const registered = await loadCredentials(world.vault, 'one', issuerKey);
      if (!registered) throw new Error('no client');
      await saveCredentials(world.vault, 'one', { ...registered, source });
      const run = schedule(world);
      await run.start();
      world.answer = () => ({ status: 401, body: '{"error":"invalid_client"}' });
      await run.passSlowly(60 * minutes, minutes);
      const inHour = world.sent.length;
      expect(inHour).toBeGreaterThan(1);
      await run.passSlowly(5 * 60 * minutes, minutes);
      expect(world.sent.length - inHour).toBeGreaterThan(2);
      expect(world.sent.length - inHour).toBeLessThan(12);
      const entry = async () => (await world.ports.store.read('one'))!;
      expect(storedStatus(await entry(), world.clock.now())).toBe('signInAgain');
      // Another process waits as long, and reports the same error.
      const before = world.sent.length;
      const tokens = await world.tokens('one');
      await expect(
        refreshStoredTokens(world.ports, await entry(), tokens!, 'due', new AbortController().signal),
      ).rejects.toMatchObject({ code: source === 'typed' ? 'CLIENT_REJECTED' : 'SIGN_IN_REQUIRED' });
      expect(world.sent).toHaveLength(before);

      world.answer = () => undefined;
      await run.passSlowly(90 * minutes, minutes);
      expect(await entry()).toMatchObject({ state: 'integrated' });
      expect(await entry()).not.toHaveProperty('retryAt');
      expect(storedStatus(await entry(), world.clock.now())).toBe('ready');
      expect(run.scheduler.status('one')?.error).toBeUndefined();
      expect(await loadCredentials(world.vault, 'one', issuerKey)).not.toHaveProperty('refused');
    },
  );

  it('refreshes tokens that live five seconds at most every 30 seconds', async () => {
    const world = createRefreshWorld(5);
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    await run.passSlowly(5 * minutes);
    expect(world.sent.length).toBeGreaterThanOrEqual(9);
    expect(world.sent.length).toBeLessThanOrEqual(11);
  });

  it('plans nothing for a signed-out server or one without a sign-in', async () => {
    const world = createRefreshWorld();
    await world.signIn('out', { change: { state: 'signedOut' } });
    const { issuerKey: _issuer, ...open } = await world.signIn('open');
    await world.ports.store.write({ ...open, method: 'NoAuth' });
    const run = schedule(world);
    await run.start();
    await run.passSlowly(24 * 60 * minutes, 10 * minutes);
    expect(world.sent).toEqual([]);
    expect(run.scheduler.status('out')).toBeUndefined();
    expect(run.scheduler.status('open')).toBeUndefined();
  });

  it('forgets a removed server, and leaves no timer behind when it stops', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    await world.signIn('two');
    const run = schedule(world);
    await run.start();
    await world.ports.store.delete('one');
    await run.scheduler.review();
    await run.pass(0);
    expect(run.reports.filter(({ status }) => status === undefined)).toEqual([{ id: 'one', status: undefined }]);
    await run.scheduler.stop();
    expect(world.clock.timers).toBe(0);
    await run.pass(60 * minutes);
    expect(world.sent).toEqual([]);
  });

  it('waits on stop for a refresh in flight, since the server may have rotated the token', async () => {
    const world = createRefreshWorld();
    await world.signIn('one');
    const run = schedule(world);
    await run.start();
    const gate = Promise.withResolvers<void>();
    const { exchange } = world.ports.http;
    Object.assign(world.ports.http, {
      exchange: async (request: Parameters<typeof exchange>[0]) => {
        const response = await exchange(request);
        await gate.promise;
        return response;
      },
    });
    await run.passSlowly(57 * minutes, minutes);
    const stopped = run.scheduler.stop();
    gate.resolve();
    await stopped;
    expect((await world.tokens('one'))?.accessToken.reveal()).toBe('a:one:2');
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnginePorts } from '../../../../../main/engine/engine-ports.ts';
import { refreshStoredTokens } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import type { RefreshReason } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import type { TokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { createRefreshWorld } from '../../../../support/refresh-world.ts';
import type { RefreshWorld, TokenReply } from '../../../../support/refresh-world.ts';
import { runs } from '../../../../support/runs.ts';

const cut = new LostRequest('CONNECT_FAIL', { stage: 'refresh' });
const timedOut = new LostRequest('DEADLINE', { stage: 'refresh' });
const offline = new UnsentRequest('CONNECT_FAIL', { stage: 'refresh' });

/** What happens to one token request, and whether the engine learns its outcome. */
const fates: Readonly<Record<string, { readonly reply: TokenReply; readonly isKnown: boolean }>> = {
  works: { reply: undefined, isKnown: true },
  'is lost on the way': { reply: cut, isKnown: false },
  'takes too long': { reply: timedOut, isKnown: false },
  'rotates, and its response is lost': { reply: { lostTo: cut }, isKnown: false },
  'finds no network': { reply: offline, isKnown: true },
  'finds a busy server': { reply: { status: 503 }, isKnown: true },
  'finds a broken server': { reply: { status: 500 }, isKnown: true },
  'is asked to wait': { reply: { status: 429, headers: { 'retry-after': '60' } }, isKnown: true },
  'finds a captive portal': { reply: { status: 200, body: '<html>Log in to our Wi-Fi</html>' }, isKnown: true },
  'gets a meaningless response': { reply: { status: 200, body: '{"access_token":7}' }, isKnown: false },
};
const fateNames = Object.keys(fates);

interface Task {
  readonly reason: RefreshReason;
  readonly engine: number;
}

const aTask = fc.record({
  reason: fc.constantFrom<RefreshReason>('due', 'refused', 'suspected', 'requested'),
  engine: fc.nat(2),
});

/** The ports of one of several processes; the scheduler decides the order of all calls. */
function interleave(ports: EnginePorts, scheduler: fc.Scheduler, engine: number): EnginePorts {
  const turn = (label: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), `${engine}: ${label}`);
  const slow = <Target extends object>(name: string, target: Target): Target =>
    new Proxy(target, {
      get(real, property) {
        const value: unknown = Reflect.get(real, property);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          await turn(`${name}.${String(property)}`);
          const result: unknown = await Reflect.apply(value, real, args);
          await turn(`${name}.${String(property)} answers`);
          return result;
        };
      },
    });
  return {
    ...ports,
    http: slow('http', ports.http),
    store: slow('store', ports.store),
    vault: async () => slow('vault', await ports.vault()),
    clock: {
      ...ports.clock,
      after: (_milliseconds, run) => {
        void turn('timer').then(run);
        return () => {};
      },
    },
  };
}

async function refreshAtOnce(
  scheduler: fc.Scheduler,
  tasks: readonly Task[],
  decide: (refreshToken: string) => TokenReply,
): Promise<{ world: RefreshWorld; outcomes: PromiseSettledResult<TokenSet>[] }> {
  const world = createRefreshWorld();
  world.answer = decide;
  const integration = await world.signIn('one');
  const seen = await world.tokens('one');
  if (!seen) throw new Error('not signed in');
  const { signal } = new AbortController();
  const engines = [0, 1, 2].map((engine) => interleave(world.ports, scheduler, engine));
  const running = tasks.map(({ reason, engine }) =>
    refreshStoredTokens(engines[engine] ?? world.ports, integration, seen, reason, signal),
  );
  const outcomes = await scheduler.waitFor(Promise.allSettled(running));
  return { world, outcomes };
}

describe('concurrent refreshes', () => {
  it('send each refresh token once, and end with the newest pair, in every order (PB-05)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(aTask, { minLength: 2, maxLength: 6 }), async (scheduler, tasks) => {
        const { world, outcomes } = await refreshAtOnce(scheduler, tasks, () => undefined);
        expect(world.sent).toEqual(['r:one:1']);
        for (const outcome of outcomes) {
          expect(outcome.status === 'fulfilled' && outcome.value.accessToken.reveal()).toBe('a:one:2');
        }
        expect((await world.tokens('one'))?.refreshToken?.reveal()).toBe('r:one:2');
      }),
      { numRuns: runs(300) },
    );
  });

  it('resend a token only after an unknown outcome, and once before a pause, whatever happens (PB-05)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(aTask, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom(...fateNames), { maxLength: 8 }),
        async (scheduler, tasks, plan) => {
          const unknown = new Map<string, number>();
          const lost = new Set<string>();
          const shownTooOften: string[] = [];
          let sent = 0;
          const { world } = await refreshAtOnce(scheduler, tasks, (refreshToken) => {
            const fate = fates[plan[sent++] ?? 'works'] ?? fates['works'];
            const before = unknown.get(refreshToken) ?? 0;
            // A refresh that the user asked for ignores the pause.
            const isAsked = tasks.some(({ reason }) => reason === 'requested');
            if (before >= 2 && !isAsked) shownTooOften.push(refreshToken);
            if (fate?.isKnown === false) unknown.set(refreshToken, before + 1);
            if (fate?.reply && 'lostTo' in fate.reply) lost.add(refreshToken);
            return fate?.reply;
          });
          expect(shownTooOften).toEqual([]);
          for (const { generation } of world.grants.reuses) expect(lost).toContain(`r:one:${generation}`);
          const stored = await world.tokens('one');
          const served = world.grants.grants.get('one');
          const entry = await world.ports.store.read('one');
          if (!stored) {
            // Deleted only if the server revoked it.
            expect(served?.isRevoked).toBe(true);
            expect(entry?.state).toBe('reauthenticationRequired');
          } else {
            const isNewest = stored.refreshToken?.reveal() === `r:one:${served?.generation}`;
            expect(isNewest || lost.has(stored.refreshToken?.reveal() ?? '')).toBe(true);
            expect(stored.accessToken.reveal().slice(2)).toBe(stored.refreshToken?.reveal().slice(2));
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

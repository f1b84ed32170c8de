import { describe, expect, it } from 'vitest';
import { signOut } from '../../main/engine/leave/sign-out.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { everyBehaviour, slowBehaviours } from './kit/every-behaviour.ts';
import type { Behaviour, Place } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import { outcomeOf, underOracle } from './oracle.ts';
import type { Verdict } from './oracle.ts';
import { verdicts } from './verdicts.ts';

const { signal } = new AbortController();
const everything = ['registration', 'credentials', 'tokens'];
const cases = Object.entries(everyBehaviour);

/** Signed in while all was well; then one place turns. */
async function turned(place: Place, name: string, behaviour: Behaviour) {
  const world = await startWorld();
  const engine = createHostileEngine();
  const { integration } = await engine.connect(world.mcpUrl);
  world.set(place, behaviour);
  if (name in slowBehaviours) engine.hasten(place);
  return { world, engine, integration };
}

/** Everything that a person has signed in for is still there. */
function expectSignedIn({ kept }: Verdict<unknown>): void {
  expect(kept.toSorted()).toEqual(everything.toSorted());
}

describe('a refresh that is answered with', () => {
  const ended = new Set(['brokenChallenge']);
  it.each(cases)('%s keeps the sign-in unless the server has ended it (RF-10, RF-09)', async (name, behaviour) => {
    const { world, engine, integration } = await turned('refresh', name, behaviour);
    const expected = { opened: 0, kept: everything, noted: true };
    const verdict = await underOracle(world, engine, expected, () =>
      refreshIntegration(engine.ports, integration, { signal }),
    );
    expect(outcomeOf(verdict)).toBe(verdicts[name]?.refresh);
    if (!ended.has(name)) expectSignedIn(verdict);
    // Once, and a second time after an unknown outcome (RFC 9700 section 4.14.2).
    // A refused form goes once without its scope, and once without `resource` (RFC 8707).
    expect(world.count('refresh')).toBeLessThanOrEqual(name === 'talkingError' ? 3 : 2);
  });
});

describe('an MCP server that answers with', () => {
  // The official client takes an empty batch for an answer to come, and waits its minute.
  it.each(cases.filter(([name]) => name !== 'jsonArray'))(
    '%s after the sign-in stops nothing but the call',
    async (name, behaviour) => {
      const { world, engine, integration } = await turned('mcp', name, behaviour);
      const expected = { opened: 0, kept: everything, noted: name === 'brokenChallenge', bytes: 64 * 1024 * 1024 };
      const verdict = await underOracle(world, engine, expected, () =>
        listTools(engine.ports, integration, { signal }),
      );
      expect(outcomeOf(verdict)).toBe(verdicts[name]?.tools);
      expectSignedIn(verdict);
    },
  );
});

describe('a sign-out whose revocation endpoint is hostile', () => {
  it.each(cases)('has deleted everything here before it asks: %s (RF-22)', async (name, behaviour) => {
    const { world, engine, integration } = await turned('revoke', name, behaviour);
    const verdict = await underOracle(world, engine, { opened: 0, kept: ['registration', 'credentials'] }, () =>
      signOut(engine.ports, integration, signal),
    );
    expect(verdict.code).toBe('ok');
    expect(verdict.kept).not.toContain('tokens');
  });
});

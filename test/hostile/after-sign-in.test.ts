import { describe, expect, it } from 'vitest';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { everyBehavior, slowBehaviors } from './kit/every-behavior.ts';
import type { Behavior, Place } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import { outcomeOf, underOracle } from './oracle.ts';
import type { Verdict } from './oracle.ts';
import { verdicts } from './verdicts.ts';

const { signal } = new AbortController();
const allKinds = ['registration', 'credentials', 'tokens'];
const cases = Object.entries(everyBehavior);

/** Signed in while all was well; then one endpoint turns hostile. */
async function turned(place: Place, name: string, behavior: Behavior) {
  const world = await startWorld();
  const engine = createHostileEngine();
  const { integration } = await engine.connect(world.mcpUrl);
  world.set(place, behavior);
  if (name in slowBehaviors) engine.hasten(place);
  return { world, engine, integration };
}

/** Expects all records of the user's sign-ins. */
function expectSignedIn({ stored }: Verdict<unknown>): void {
  expect(stored.toSorted()).toEqual(allKinds.toSorted());
}

describe('a refresh with a response of', () => {
  const ended = new Set(['brokenChallenge']);
  it.each(cases)('%s keeps the sign-in unless the server has ended it (RF-10, RF-09)', async (name, behavior) => {
    const { world, engine, integration } = await turned('refresh', name, behavior);
    const expected = { opened: 0, stored: allKinds, noted: true };
    const verdict = await underOracle(world, engine, expected, () =>
      refreshIntegration(engine.ports, integration, { signal }),
    );
    expect(outcomeOf(verdict)).toBe(verdicts[name]?.refresh);
    if (!ended.has(name)) expectSignedIn(verdict);
    // Once, and again after an unknown outcome (RFC 9700 section 4.14.2). A rejected request is repeated once without
    // its scope, and once without `resource` (RFC 8707).
    expect(world.count('refresh')).toBeLessThanOrEqual(name === 'talkingError' ? 3 : 2);
  });
});

describe('an MCP server that responds with', () => {
  // The official client waits a minute for a response after an empty batch.
  it.each(cases.filter(([name]) => name !== 'jsonArray'))(
    '%s after the sign-in only stops the call',
    async (name, behavior) => {
      const { world, engine, integration } = await turned('mcp', name, behavior);
      const expected = { opened: 0, stored: allKinds, noted: name === 'brokenChallenge', bytes: 64 * 1024 * 1024 };
      const verdict = await underOracle(world, engine, expected, () =>
        listTools(engine.ports, integration, { signal }),
      );
      expect(outcomeOf(verdict)).toBe(verdicts[name]?.tools);
      expectSignedIn(verdict);
    },
  );
});

describe('a sign-out whose revocation endpoint is hostile', () => {
  it.each(cases)('deletes everything here before it contacts the server: %s (RF-22)', async (name, behavior) => {
    const { world, engine, integration } = await turned('revoke', name, behavior);
    const verdict = await underOracle(world, engine, { opened: 0, stored: ['registration', 'credentials'] }, () =>
      signOut(engine.ports, integration, signal),
    );
    expect(verdict.code).toBe('ok');
    expect(verdict.stored).not.toContain('tokens');
  });
});

import { describe, expect, it } from 'vitest';
import { everyBehavior, slowBehaviors } from './kit/every-behavior.ts';
import { engineFor } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import type { HostileWorld } from './kit/hostile-world.ts';
import { outcomeOf, underOracle } from './oracle.ts';
import { verdicts } from './verdicts.ts';

/**
 * Servers that expect another client authentication method than the one used: the code is sent with the other, once.
 */
const mayNotSeeClient = new Set(['brokenChallenge', 'talkingError', 'serverFault', 'reset', 'halfClose']);
const allKinds = ['registration', 'credentials', 'tokens'];
const cases = Object.entries(everyBehavior);

describe.each(['prm', 'asm', 'register', 'token'] as const)('a sign-in whose %s is hostile', (place) => {
  it.each(cases)(
    'ends with a typed error and stores nothing: %s (MD-01, MD-02, MD-04, MD-05, MD-06, MD-20, RG-08, TK-12)',
    async (name, behavior) => {
      const world = await startWorld({ [place]: behavior });
      const engine = engineFor(name in slowBehaviors, place);
      // The code is used up by then; if it failed before, no page is opened at all.
      const opened = place === 'token' ? 1 : 0;
      const verdict = await underOracle(world, engine, { opened }, () => engine.connect(world.mcpUrl));
      expect(outcomeOf(verdict)).toBe(verdicts[name]?.[place]);
      expect(verdict.stored).toEqual(place === 'token' ? ['registration'] : []);
      // Everything else uses the code once (RFC 6749 section 10.5), including an unregistered error code.
      if (place === 'token')
        expect(world.count('token')).toBe(name === 'talkingError' ? 3 : mayNotSeeClient.has(name) ? 2 : 1);
    },
  );
});

describe('a server that is hostile from the first request on', () => {
  const stops: Readonly<Record<string, string>> = {
    silence: 'DEADLINE',
    endlessContinue: 'DEADLINE',
    reset: 'CONNECT_FAIL',
    garbage: 'CONNECT_FAIL',
    redirectDown: 'URL_DOWNGRADE',
  };
  it.each(cases.filter(([name]) => name !== 'jsonArray'))(
    '%s is a typed error, or a warning once the tokens are stored',
    async (name, behavior) => {
      const world: HostileWorld = await startWorld({ mcp: behavior });
      const engine = engineFor(name in slowBehaviors, 'mcp');
      const stop = stops[name];
      const expected = { opened: stop === undefined ? 1 : 0, stored: allKinds, bytes: 64 * 1024 * 1024 };
      const verdict = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
      expect(verdict.code).toBe(stop ?? 'ok');
      if (stop === undefined) expect(verdict.result?.warnings).toHaveLength(1);
      else expect(verdict.stored).toEqual([]);
    },
  );
});

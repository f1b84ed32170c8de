import { describe, expect, it } from 'vitest';
import { removeIntegration } from '../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { honest } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import { underOracle } from './oracle.ts';

const { signal } = new AbortController();

describe('a refresh in flight', () => {
  it.each([
    ['signs out', signOut, ['registration', 'credentials']],
    ['removes the server', removeIntegration, ['registration']],
  ] as const)(
    'when the user %s leaves no token behind, and ends the new one too (RF-16)',
    async (_what, leave, stored) => {
      const world = await startWorld();
      const engine = createHostileEngine();
      const { integration } = await engine.connect(world.mcpUrl);
      const leaving = Promise.withResolvers<unknown>();
      world.set('refresh', (arrived) => {
        // It begins while the response is in flight, and may finish any time.
        leaving.resolve(leave(engine.ports, integration, signal));
        setImmediate(() => honest.refresh(arrived));
      });
      const verdict = await underOracle(world, engine, { opened: 0, stored: [...stored], noted: true }, async () => {
        await refreshIntegration(engine.ports, integration, { signal }).catch(() => {});
        await leaving.promise;
      });
      expect(verdict.code).toBe('ok');
      expect(verdict.stored).not.toContain('tokens');
      expect(world.sites.auth.received()).toContain(`token=${world.canaries.renewedRefreshToken}`);
    },
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTools } from '../../main/engine/use/use-server.ts';
import type { Integration } from '../../shared/integration.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { everyBehavior, slowBehaviors } from './kit/every-behavior.ts';
import { places } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import type { HostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';

const { signal } = new AbortController();

/** What is stored of one integration: its entry, and its sealed records. */
function storedFor({ folder }: HostileEngine, { id }: Integration): unknown {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { integrations } = read('config.json') as { integrations: Integration[] };
  const { records } = read('vault') as { records: { owner: string }[] };
  return { entry: integrations.find((entry) => entry.id === id), records: records.filter(({ owner }) => owner === id) };
}

const quick = Object.entries(everyBehavior).filter(
  ([name]) => !(name in slowBehaviors) && !['largeBody', 'endlessBody', 'jsonArray'].includes(name),
);

describe('a hostile server', () => {
  it('changes nothing stored for another one, whatever it does and wherever (PB-09)', async () => {
    const honest = await startWorld();
    const hostile = await startWorld();
    const engine = createHostileEngine();
    const { integration: stored } = await engine.connect(honest.mcpUrl);
    const { integration: other } = await engine.connect(hostile.mcpUrl);
    const before = storedFor(engine, stored);
    const arrived = honest.sites.auth.received().length;
    for (const [index, [, behavior]] of quick.entries()) {
      for (const place of places) hostile.set(place, behavior);
      // One after the other: a sign-in, a refresh, a call.
      const work = [
        () => engine.connect(hostile.mcpUrl),
        () => refreshIntegration(engine.ports, other, { signal }),
        () => listTools(engine.ports, other, { signal }),
      ][index % 3];
      await work?.().catch(() => {});
      expect(storedFor(engine, stored)).toEqual(before);
    }
    expect(honest.sites.auth.received().length).toBe(arrived);
    expect((await listTools(engine.ports, stored, { signal })).map(({ name }) => name)).toEqual(['look']);
    for (const secret of [honest.canaries.accessToken, honest.canaries.refreshToken, honest.canaries.clientSecret]) {
      expect(hostile.sites.mcp.received() + hostile.sites.auth.received()).not.toContain(secret);
    }
  });

  it('gets one registration, however often "connect" is clicked (RG-14)', async () => {
    const world = await startWorld();
    const engine = createHostileEngine();
    for (let count = 0; count < 5; count += 1) await engine.connect(world.mcpUrl);
    expect(world.count('register')).toBe(1);
    expect(await engine.ports.store.list()).toHaveLength(5);
  });
});

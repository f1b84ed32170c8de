import { describe, expect, it } from 'vitest';
import { everyTarget } from '../../fuzz/every-target.ts';
import { fuzzTarget } from '../../fuzz/fuzz-target.ts';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';

const seed = Math.trunc(Math.random() * 2 ** 31);

// `npm run fuzz` does the same, a hundred times longer.
describe(`untrusted input (seed ${seed})`, () => {
  it.each(everyTarget.map((target) => [target.name, target] as const))(
    '%s (PB-03, PB-10)',
    async (_name, { check, cost }) => {
      await check(Math.max(3, Math.trunc(runs(600) / cost)), seed);
    },
  );

  it('fails if a property does not hold, and reports the seed', async () => {
    const target = fuzzTarget({
      name: 'a wrong one',
      input: fc.nat(),
      holds: (number) => {
        if (number > 10) throw new Error('too large');
      },
    });
    await expect(target.check(100, 42)).rejects.toThrow(/seed: 42[\s\S]*too large/);
  });
});

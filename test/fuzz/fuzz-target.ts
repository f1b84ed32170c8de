import * as fc from 'fast-check';

/** One thing that takes what strangers send, and what must hold whatever that is. */
export interface FuzzTarget {
  readonly name: string;
  /** Runs are divided by this: how much more expensive one is than a plain parser's. */
  readonly cost: number;
  /** Throws when something does not hold. */
  check(runs: number, seed: number): Promise<void>;
}

export function fuzzTarget<Input>(options: {
  readonly name: string;
  readonly cost?: number;
  readonly input: fc.Arbitrary<Input>;
  readonly holds: (input: Input) => void | Promise<void>;
}): FuzzTarget {
  return {
    name: options.name,
    cost: options.cost ?? 1,
    async check(runs, seed) {
      const property = fc.asyncProperty(options.input, async (input) => {
        await options.holds(input);
      });
      await fc.assert(property, { numRuns: runs, seed, includeErrorInReport: true });
    },
  };
}

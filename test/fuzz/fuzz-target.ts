import * as fc from 'fast-check';

/** Code that handles untrusted input, and a property that must always hold. */
export interface FuzzTarget {
  readonly name: string;
  /** Cost of a run relative to a plain parser; the number of runs is divided by it. */
  readonly cost: number;
  /** Throws if the property does not hold. */
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

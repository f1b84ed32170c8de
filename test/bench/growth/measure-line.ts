import { NotMeasured } from '../measured-process.ts';

/** How a cost grows with a size. */
export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
  /** Sizes that could not be measured, with the reason. */
  readonly missing: readonly string[];
}

interface Point {
  readonly size: number;
  readonly value: number;
}

/** Several lines over the same sizes. */
export interface Curve {
  /** Name of its picture. */
  readonly id: string;
  readonly title: string;
  /** What the sizes count. */
  readonly counted: string;
  readonly unit: 'ms' | 'kB' | 'MB';
  readonly lines: readonly Line[];
}

/** Milliseconds after which no further round of a size starts. */
const budget = 8_000;
const maxRounds = 5;
/** Milliseconds of one round after which larger sizes are not measured. */
const tooLong = 60_000;

/**
 * The least of several rounds at each size: another process only ever adds time. `prepare` runs once per size, outside
 * the measurement, and `end` after its rounds. Never rejects.
 */
export async function measureLine<State>(
  name: string,
  sizes: readonly number[],
  {
    prepare,
    measure,
    end,
  }: {
    readonly prepare: (size: number) => Promise<State> | State;
    readonly measure: (state: State, size: number, round: number) => Promise<number> | number;
    readonly end?: (state: State) => Promise<void> | void;
  },
): Promise<Line> {
  const points: Point[] = [];
  const missing: string[] = [];
  let isTooSlow = false;
  for (const size of sizes) {
    process.stderr.write(`${name}, ${size.toLocaleString('en')}          \r`);
    if (isTooSlow) {
      missing.push(`${size.toLocaleString('en')}: a smaller one took longer than ${tooLong / 1_000} s`);
      continue;
    }
    try {
      const state = await prepare(size);
      try {
        const values: number[] = [];
        const since = performance.now();
        while (values.length < maxRounds && performance.now() - since < budget) {
          const before = performance.now();
          values.push(await measure(state, size, values.length));
          isTooSlow = performance.now() - before > tooLong;
        }
        points.push({ size, value: Math.min(...values) });
      } finally {
        await end?.(state);
      }
    } catch (error) {
      const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
      missing.push(`${size.toLocaleString('en')}: ${first}`);
      if (!(error instanceof NotMeasured)) process.exitCode = 1;
    }
  }
  return { name, points, missing };
}

/** The value at `size`; NaN if it was not measured. */
export function valueAt({ points }: Pick<Line, 'points'>, size: number): number {
  return points.find((point) => point.size === size)?.value ?? NaN;
}

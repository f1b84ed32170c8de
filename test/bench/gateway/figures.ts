import { spreadOf } from '../statistics.ts';
import type { WayName } from './ways.ts';

/** What was measured of each way, by what it was. */
export class Figures {
  readonly #values = new Map<string, number[]>();

  add(way: WayName, what: string, value: number): void {
    const key = `${what} ${way}`;
    const values = this.#values.get(key);
    if (values) values.push(value);
    else this.#values.set(key, [value]);
  }

  /** NaN where nothing was measured. */
  median(way: WayName, what: string): number {
    return spreadOf(this.#values.get(`${what} ${way}`) ?? []).median;
  }

  /** Above a direct connection: of each round, since a machine has slower ones, and then the median of these. */
  added(way: WayName, what: string): number {
    const direct = this.#values.get(`${what} direct`) ?? [];
    const values = this.#values.get(`${what} ${way}`) ?? [];
    return spreadOf(values.map((value, round) => value - (direct[round] ?? NaN))).median;
  }
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

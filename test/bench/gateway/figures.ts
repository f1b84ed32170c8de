import { spreadOf } from '../statistics.ts';
import type { WayName } from './ways.ts';

/** Measurements of each path, by name. */
export class Figures {
  readonly #values = new Map<string, number[]>();

  add(way: WayName, what: string, value: number): void {
    const key = `${what} ${way}`;
    const values = this.#values.get(key);
    if (values) values.push(value);
    else this.#values.set(key, [value]);
  }

  /** NaN if nothing was measured. */
  median(way: WayName, what: string): number {
    return spreadOf(this.#values.get(`${what} ${way}`) ?? []).median;
  }

  /** Overhead over a direct connection: computed per round, because machine speed varies, then the median. */
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

import { spreadOf } from '../statistics.ts';
import type { RouteName } from './routes.ts';

/** Measurements of each path, by name. */
export class Figures {
  readonly #values = new Map<string, number[]>();

  add(route: RouteName, what: string, value: number): void {
    const key = `${what} ${route}`;
    const values = this.#values.get(key);
    if (values) values.push(value);
    else this.#values.set(key, [value]);
  }

  /** NaN if nothing was measured. */
  median(route: RouteName, what: string): number {
    return spreadOf(this.#values.get(`${what} ${route}`) ?? []).median;
  }

  /** Overhead over a direct connection: computed per round, because machine speed varies, then the median. */
  added(route: RouteName, what: string): number {
    const direct = this.#values.get(`${what} direct`) ?? [];
    const values = this.#values.get(`${what} ${route}`) ?? [];
    return spreadOf(values.map((value, round) => value - (direct[round] ?? NaN))).median;
  }
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

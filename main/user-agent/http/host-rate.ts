/** Hands out turns for each host: `burst` at once, then one every `interval` milliseconds. */
export class HostRate {
  readonly #limit: { readonly burst: number; readonly interval: number };
  readonly #hosts = new Map<string, { readonly turns: number; readonly at: number }>();

  constructor(limit: { readonly burst: number; readonly interval: number }) {
    this.#limit = limit;
  }

  /** 0: the turn is taken. Else the milliseconds after which to ask again. `now` is monotonic. */
  take(host: string, now: number): number {
    const turns = this.#turnsOf(host, now);
    this.#forgetIdle(now);
    if (turns < 1) return Math.ceil((1 - turns) * this.#limit.interval);
    this.#hosts.set(host, { turns: turns - 1, at: now });
    return 0;
  }

  #turnsOf(host: string, now: number): number {
    const known = this.#hosts.get(host);
    if (known === undefined) return this.#limit.burst;
    return Math.min(this.#limit.burst, known.turns + (now - known.at) / this.#limit.interval);
  }

  /** A host that may take all its turns again is like one never seen. */
  #forgetIdle(now: number): void {
    for (const host of this.#hosts.keys()) {
      if (this.#turnsOf(host, now) >= this.#limit.burst) this.#hosts.delete(host);
    }
  }
}

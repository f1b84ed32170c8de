export type Kind = 'full' | 'stored';
/** Milliseconds added to every round trip. */
export type Latency = 0 | 50;
/** `mcp` starts with `initialize` and has sessions, `stateless` has none. */
export type Protocol = 'mcp' | 'stateless';

/** All measurements of one contender at one task. */
export interface Cell {
  readonly app: string;
  readonly kind: Kind;
  readonly latency: Latency;
  readonly protocol: Protocol;
  /** Milliseconds from process start to the result. */
  readonly fromStart: number[];
  /** Milliseconds after the contender's own imports, if it can report them. */
  readonly inside: number[];
  /** From the last run: the names of its requests, and how many were sequential. */
  requests: readonly string[];
  streams: number;
  roundTrips: number;
  /** Kilobytes: the process alone, and with its children. */
  readonly peaks: { readonly own: number; readonly tree: number }[];
}

export class Cells {
  readonly #cells: Cell[] = [];

  get(app: string, kind: Kind, latency: Latency, protocol: Protocol): Cell {
    const known = this.#cells.find(
      (cell) => cell.app === app && cell.kind === kind && cell.latency === latency && cell.protocol === protocol,
    );
    if (known) return known;
    const cell = { app, kind, latency, protocol, fromStart: [], inside: [], peaks: [] };
    const made: Cell = { ...cell, requests: [], streams: 0, roundTrips: 0 };
    this.#cells.push(made);
    return made;
  }

  all(): readonly Cell[] {
    return this.#cells;
  }
}

import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

export type Kind = 'full' | 'stored';
/** Milliseconds injected into every round trip. */
export type Latency = 0 | 50;
/** `mcp` starts with `initialize` and has sessions, `modern` is stateless. */
export type Wire = 'mcp' | 'modern';

/** All that was measured of one program at one task. */
export interface Cell {
  readonly program: string;
  readonly kind: Kind;
  readonly latency: Latency;
  readonly wire: Wire;
  /** Milliseconds from the start of the process to the answer. */
  readonly fromStart: number[];
  /** Milliseconds after the program's own imports, where it can tell. */
  readonly inside: number[];
  /** Of the last run: the names of its requests, and how many of them had to wait for one another. */
  requests: readonly string[];
  streams: number;
  roundTrips: number;
  /** Kilobytes: of the process, and with its children. */
  readonly peaks: { readonly own: number; readonly tree: number }[];
}

export class Cells {
  readonly #cells: Cell[] = [];

  get(program: string, kind: Kind, latency: Latency, wire: Wire): Cell {
    const known = this.#cells.find(
      (cell) => cell.program === program && cell.kind === kind && cell.latency === latency && cell.wire === wire,
    );
    if (known) return known;
    const cell = { program, kind, latency, wire, fromStart: [], inside: [], peaks: [] };
    const made: Cell = { ...cell, requests: [], streams: 0, roundTrips: 0 };
    this.#cells.push(made);
    return made;
  }

  all(): readonly Cell[] {
    return this.#cells;
  }
}

export function timeOf(cell: Cell, which: 'fromStart' | 'inside'): Spread {
  return spreadOf(cell[which]);
}

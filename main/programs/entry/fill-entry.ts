import type { Entry } from '../list/entry-list.ts';
import type { EntryCommand } from '../program-engine.ts';
import type { Shape } from '../table/program.ts';

/** An address, and what shows there that the program may use it. */
export interface EntryAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A command line that prints them. */
  readonly helper: string;
}

/** The entry of `shape` under `name` that leads to `target`. */
export function fillEntry(shape: Shape, name: string, target: EntryCommand | EntryAddress): Entry {
  const known: Readonly<Record<string, unknown>> =
    'command' in target
      ? {
          '{command}': target.command,
          '{args}': target.args,
          '{words}': [target.command, ...target.args],
        }
      : { '{url}': target.url, '{headers}': target.headers, '{helper}': target.helper };
  return fill(shape, { ...known, '{name}': name }) as Entry;
}

function fill(value: unknown, known: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return known[value] ?? value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, known)]));
}

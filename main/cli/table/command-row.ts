import type { LoadableCommand } from '../command-context.ts';

/** Rows of the table, with their names and nothing more as their type. */
export function commandRows<Name extends string>(
  rows: Readonly<Record<Name, LoadableCommand>>,
): Readonly<Record<Name, LoadableCommand>> {
  return rows;
}

export const theId =
  'ID is a name from `postern list`, an alias, an address, or an id (or how it begins) from `postern list --json`.';

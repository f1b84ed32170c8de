import type { Entry } from './entry-list.ts';
import type { Shape } from './program.ts';

/** What starts the pipe. */
export interface EntryCommand {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry of `shape` that starts `command`, under `name`. */
export function fillEntry(shape: Shape, name: string, { command, args }: EntryCommand): Entry {
  const known: Readonly<Record<string, unknown>> = {
    '{name}': name,
    '{command}': command,
    '{args}': args,
    '{words}': [command, ...args],
  };
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, typeof value === 'string' ? (known[value] ?? value) : value]),
  );
}

import * as z from 'zod/mini';
import { commandAt } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';
import type { CommandName } from '../../main/cli/options/command-spec.ts';
import { resultSchema, eventsOf } from '../../scripts/cli-docs/result-schemas.ts';

const schemas = new Map<CommandName, z.ZodMiniType>();

/** Checks every result in a test against docs/cli-json. Errors: each mismatch and its place. */
export function checkPromisedResult(words: readonly string[], lines: readonly object[]): void {
  const command = words
    .map((_, index) => commandAt(commandTable, words.slice(index)))
    .find((name) => name !== undefined);
  if (command === undefined || command === 'exec') return;
  // The result comes from the inner command.
  const inner = command === 'with' ? commandAt(commandTable, words.slice(words.indexOf('--') + 1)) : undefined;
  const effective = inner ?? command;
  const schema = schemas.get(effective) ?? resultSchema(effective);
  schemas.set(effective, schema);
  const events = eventsOf(effective).map(([name]) => name);
  for (const line of lines) {
    // New events may be added later, but not undocumented ones.
    if ('event' in line && !events.includes(String(line.event)))
      throw new Error(`postern ${effective} --json writes an event that is not promised: ${JSON.stringify(line)}`);
    const { error } = schema.safeParse(line);
    if (error)
      throw new Error(
        `postern ${effective} --json does not match its promised schema: ${JSON.stringify(line)}\n${z.prettifyError(error)}`,
      );
  }
}

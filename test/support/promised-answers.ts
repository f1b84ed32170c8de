import * as z from 'zod/mini';
import { commandAt } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';
import type { CommandName } from '../../main/cli/options/command-spec.ts';
import { answerSchema, eventsOf } from '../../scripts/cli-docs/answer-schemas.ts';

const schemas = new Map<CommandName, z.ZodMiniType>();

/** Every answer of a test is held against what docs/cli-json promises. Errors: what does not fit, and where. */
export function holdAgainstPromise(words: readonly string[], lines: readonly object[]): void {
  const command = words
    .map((_, index) => commandAt(commandTable, words.slice(index)))
    .find((name) => name !== undefined);
  if (command === undefined || command === 'exec') return;
  // What runs on the connection answers.
  const inner = command === 'with' ? commandAt(commandTable, words.slice(words.indexOf('--') + 1)) : undefined;
  const asked = inner ?? command;
  const schema = schemas.get(asked) ?? answerSchema(asked);
  schemas.set(asked, schema);
  const events = eventsOf(asked).map(([name]) => name);
  for (const line of lines) {
    // Others may come later, but none that nobody has written down.
    if ('event' in line && !events.includes(String(line.event)))
      throw new Error(`postern ${asked} --json tells an event that is not promised: ${JSON.stringify(line)}`);
    const { error } = schema.safeParse(line);
    if (error)
      throw new Error(`postern ${asked} --json is not as promised: ${JSON.stringify(line)}\n${z.prettifyError(error)}`);
  }
}

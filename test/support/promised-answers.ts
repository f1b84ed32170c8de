import * as z from 'zod';
import { commandNamed } from '../../main/cli/options/command-specs.ts';
import type { CommandName } from '../../main/cli/options/command-specs.ts';
import { answerSchema } from '../../scripts/cli-docs/answer-schemas.ts';

const schemas = new Map<CommandName, z.ZodType>();

/** Every answer of a test is held against what docs/cli-json promises. Errors: what does not fit, and where. */
export function holdAgainstPromise(words: readonly string[], lines: readonly object[]): void {
  const command = words.map((word) => commandNamed(word)).find((name) => name !== undefined);
  if (command === undefined || command === 'exec') return;
  // What runs on the connection answers.
  const inner = command === 'with' ? commandNamed(words[words.indexOf('--') + 1] ?? '') : undefined;
  const asked = inner ?? command;
  const schema = schemas.get(asked) ?? answerSchema(asked);
  schemas.set(asked, schema);
  for (const line of lines) {
    const { error } = schema.safeParse(line);
    if (error)
      throw new Error(`postern ${asked} --json is not as promised: ${JSON.stringify(line)}\n${z.prettifyError(error)}`);
  }
}

import * as z from 'zod/mini';
import * as answerParts from '../../main/cli/answers/answer-parts.ts';
import { eventSchemas, eventSets } from '../../main/cli/answers/event-schemas.ts';
import type { CommandName } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';

/**
 * What `--json` promises: each field that is named here stays, with its type, as long as `schemaVersion` does. More may
 * come beside them.
 */
export const schemaVersion = 1;

/** Every line that a command writes with `--json`. */
export function answerSchema(command: CommandName): z.ZodMiniType {
  const events = eventsOf(command).map(([name, shape]) => z.extend(shape, { event: z.literal(name) }));
  return z.union([
    ...[commandTable.specs[command].answers({ z, ...answerParts })]
      .flat()
      .map((shape) => z.extend(shape, { result: z.literal('ok') })),
    z.looseObject({ result: z.literal('ok'), help: z.string() }),
    z.looseObject({ result: z.literal('ok'), version: z.string() }),
    z.looseObject({ result: z.literal('error'), error: answerParts.failure }),
    ...events,
    z.looseObject({ event: z.string().check(z.refine((name) => !Object.hasOwn(eventSchemas, name))) }),
  ]);
}

/** Every event that a command may write, by its name. */
export function eventsOf(command: CommandName): readonly (readonly [name: string, shape: z.ZodMiniObject])[] {
  const names: readonly string[] = commandTable.specs[command].events?.(eventSets) ?? eventSets.signingIn;
  return Object.entries(eventSchemas).filter(([name]) => names.includes(name));
}

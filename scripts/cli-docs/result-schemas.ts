import * as z from 'zod/mini';
import * as resultParts from '../../main/cli/schemas/result-parts.ts';
import { eventSchemas, eventSets } from '../../main/cli/schemas/event-schemas.ts';
import type { CommandName } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';

/**
 * The promise of `--json`: each field listed here keeps its name and type while `schemaVersion` stays the same. New
 * fields may be added.
 */
export const schemaVersion = 1;

/** Every line that a command writes with `--json`. */
export function resultSchema(command: CommandName): z.ZodMiniType {
  const events = eventsOf(command).map(([name, shape]) => z.extend(shape, { event: z.literal(name) }));
  return z.union([
    ...[commandTable.specs[command].results({ z, ...resultParts })]
      .flat()
      .map((shape) => z.extend(shape, { result: z.literal('ok') })),
    z.looseObject({ result: z.literal('ok'), help: z.string() }),
    z.looseObject({ result: z.literal('ok'), version: z.string() }),
    z.looseObject({ result: z.literal('error'), error: resultParts.failure }),
    ...events,
    z.looseObject({ event: z.string().check(z.refine((name) => !Object.hasOwn(eventSchemas, name))) }),
  ]);
}

/** The events that a command may write. */
export function eventsOf(command: CommandName): readonly (readonly [name: string, shape: z.ZodMiniObject])[] {
  const names: readonly string[] = commandTable.specs[command].events?.(eventSets) ?? eventSets.signInEvents;
  return Object.entries(eventSchemas).filter(([name]) => names.includes(name));
}

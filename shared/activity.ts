import * as z from 'zod';
import { wireEras } from './integration.ts';
import { programIdSchema } from './program-record.ts';

/**
 * Characters (code points) of what programs and servers name; calls that are shown; bytes of the end of an answer by
 * HTTP that say how its call went.
 */
export const activityBounds = { method: 64, tool: 128, server: 80, calls: 5_000 } as const;
/** Of files of calls: bytes of one, how many; lines waiting to be written, milliseconds they wait; bytes of a line. */
export const activityFiles = { bytes: 5_242_880, count: 4, waiting: 5_000, pause: 200, line: 2_048 } as const;
/** Milliseconds between two notes in a program's record that it used a server. */
export const noteUseEvery = 60_000;

const count = z.number().int().min(0);
/** A code point is one or two units of a string. */
const bounded = (characters: number) => z.string().max(2 * characters);

/**
 * How a call ended: `ok`; `toolError`, which the tool itself reports; `cancelled` by the program; `denied`; a code of
 * Postern, or the number of a server's error (JSON-RPC 2.0 section 5.1).
 */
export const callOutcomeSchema = z
  .string()
  .regex(/^(?:ok|toolError|cancelled|denied|[A-Z][A-Z0-9_]{1,39}|-?\d{1,16})$/);

/** One request of a program and what became of it: never an argument, a result, a description or an id of a message. */
export const activityCallSchema = z.strictObject({
  /** When it came, milliseconds since 1970. */
  at: z.number().int(),
  /** Of the table of programs; left out where nobody has added it. */
  program: programIdSchema.optional(),
  /** Id; left out where the program asked for what is not there. */
  integration: z.string().max(64).optional(),
  /** What the server was called then. */
  server: bounded(activityBounds.server),
  method: bounded(activityBounds.method),
  /** Of `tools/call`. */
  tool: bounded(activityBounds.tool).optional(),
  outcome: callOutcomeSchema,
  /** Until the answer had come. */
  ms: count,
  /** Of the program's request, and of the answer that it got. */
  bytesIn: count,
  bytesOut: count,
  era: z.enum(wireEras),
});

export type ActivityCall = z.infer<typeof activityCallSchema>;

/** Whether something went wrong: what the program gave up by itself did not. */
export function hasFailed({ outcome }: Pick<ActivityCall, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'cancelled';
}

import * as z from 'zod/mini';
import { activityBounds } from './bounds.ts';
import { errorCodes } from './error-codes.ts';
import { handshakes } from './integration.ts';
import { programIdSchema } from './program-record.ts';

const count = z.int().check(z.minimum(0));
/** A code point is one or two units of a string. */
const bounded = (characters: number) => z.string().check(z.maxLength(2 * characters));

/**
 * How a call ended: `ok`; `toolError`, which the tool itself reports; `cancelled` by the program; `denied`; a code of
 * Postern, or the number of a server's error (JSON-RPC 2.0 section 5.1).
 */
const callOutcomeSchema = z
  .string()
  .check(z.regex(/^(?:ok|toolError|cancelled|denied|[A-Z][A-Z0-9_]{1,39}|-?\d{1,16})$/));

/** One request of a program and what became of it: never an argument, a result, a description or an id of a message. */
export const activityCallSchema = z.strictObject({
  /** When it came, milliseconds since 1970. */
  at: z.int(),
  /** Of the table of programs; left out where nobody has added it. */
  program: z.optional(programIdSchema),
  /** Id; left out where the program asked for what is not there. */
  integration: z.optional(z.string().check(z.maxLength(64))),
  /** What the server was called then. */
  server: bounded(activityBounds.server),
  method: bounded(activityBounds.method),
  /** Of `tools/call`. */
  tool: z.optional(bounded(activityBounds.tool)),
  outcome: callOutcomeSchema,
  /** Until the answer had come. */
  ms: count,
  /** Of the program's request, and of the answer that it got. */
  bytesIn: count,
  bytesOut: count,
  era: z.enum(handshakes),
});

export type ActivityCall = z.infer<typeof activityCallSchema>;

/** A call as a window shows it. */
const activityViewSchema = z.extend(activityCallSchema, {
  programName: z.optional(z.string().check(z.maxLength(80))),
  /** What it is called now; of one that was removed, what it was called then. */
  serverName: bounded(activityBounds.server),
  /** An outcome that is an error of Postern; `sentence` in English: the window has the words of other languages alone. */
  failure: z.optional(z.strictObject({ code: z.enum(errorCodes), sentence: z.string() })),
});

export type ActivityView = z.infer<typeof activityViewSchema>;

/** What a window may ask of main about the calls of programs; a part of `ipc-contract.ts`. */
export const activityCalls = {
  /** Those that were noted after the one with the number `after`, oldest first; `last` is the number of the newest. */
  'activity:read': {
    input: z.strictObject({ after: z.int().check(z.minimum(0)) }),
    output: z.strictObject({
      /** Number of the oldest that is still kept: older ones are to be forgotten. */
      first: z.int(),
      last: z.int(),
      calls: z.array(activityViewSchema).check(z.maxLength(activityBounds.calls)),
    }),
  },
  /** Saves calls by their numbers, newest first as they are shown, where the person says. */
  'activity:export': {
    input: z.strictObject({ calls: z.array(z.int()).check(z.maxLength(activityBounds.calls)) }),
    output: z.strictObject({ saved: z.boolean() }),
  },
} as const;

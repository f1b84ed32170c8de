import * as z from 'zod/mini';
import { activityBounds, todayBounds } from './bounds.ts';
import { errorCodeSchema } from './error-code-schema.ts';
import { errorCatalog, isErrorCode } from './error-codes.ts';
import { hasTrait } from './error-traits.ts';
import { protocolForms } from './integration.ts';
import { appIdSchema } from './app-record.ts';

const count = z.int().check(z.minimum(0));
/** A code point takes one or two string units. */
const bounded = (characters: number) => z.string().check(z.maxLength(2 * characters));

/**
 * How a call ended: `ok`; `toolError`, reported by the tool; `cancelled` by the app; `denied`; an error code of
 * Postern, or the server's error number (JSON-RPC 2.0 section 5.1).
 */
const callOutcomeSchema = z
  .string()
  .check(z.regex(/^(?:ok|toolError|cancelled|denied|[A-Z][A-Z0-9_]{1,39}|-?\d{1,16})$/));

/** One request of an app and its outcome: never an argument, a result, a description or a message id. */
export const activityCallSchema = z.strictObject({
  /** When it arrived, in milliseconds since 1970. */
  at: z.int(),
  /** Id in the table of apps; absent for an app that nobody added. */
  app: z.optional(appIdSchema),
  /** Id; absent if the app requested a server that does not exist. */
  integration: z.optional(z.string().check(z.maxLength(64))),
  /** The server's name at the time. */
  server: bounded(activityBounds.server),
  method: bounded(activityBounds.method),
  /** Only for `tools/call`. */
  tool: z.optional(bounded(activityBounds.tool)),
  outcome: callOutcomeSchema,
  /** Until the response arrived. */
  ms: count,
  /** Size of the app's request and of the response. */
  bytesIn: count,
  bytesOut: count,
  protocol: z.enum(protocolForms),
});

export type ActivityCall = z.infer<typeof activityCallSchema>;

/** A call as a window shows it. */
const activityViewSchema = z.extend(activityCallSchema, {
  appName: z.optional(z.string().check(z.maxLength(80))),
  /** Its current name, or the name at the time if it was removed. */
  serverName: bounded(activityBounds.server),
  /** An outcome that is a Postern error; `sentence` is English, because the window bundles only the other languages. */
  failure: z.optional(
    z.strictObject({
      code: errorCodeSchema,
      sentence: z.string(),
      /** Nothing failed: the user said no, or has not decided. */
      decision: z.optional(z.enum(['no', 'none'])),
    }),
  ),
});

export type ActivityView = z.infer<typeof activityViewSchema>;

/** How calls ended, in the words of Home. `unanswered`: the user was asked in vain; `undecided`: nobody was asked. */
const callEnds = ['ok', 'failed', 'cancelled', 'declined', 'unanswered', 'undecided'] as const;

export type CallEnd = (typeof callEnds)[number];

/** What the user has decided, if the call did not run because of that. */
export function decisionOf(outcome: string): 'no' | 'none' | undefined {
  if (!isErrorCode(outcome)) return undefined;
  if (hasTrait(errorCatalog[outcome], 'own-choice')) return 'no';
  return hasTrait(errorCatalog[outcome], 'undecided') ? 'none' : undefined;
}

export function endOf(outcome: string): CallEnd {
  if (outcome === 'ok' || outcome === 'cancelled') return outcome;
  if (isErrorCode(outcome) && hasTrait(errorCatalog[outcome], 'not-answered')) return 'unanswered';
  const decision = decisionOf(outcome);
  return decision === undefined ? 'failed' : decision === 'no' ? 'declined' : 'undecided';
}

/** Calls of one app that requested the same and ended alike. */
const callGroupSchema = z.strictObject({
  app: z.optional(appIdSchema),
  appName: z.optional(z.string().check(z.maxLength(80))),
  integration: z.optional(z.string().check(z.maxLength(64))),
  /** Its current name, or the name at the time if it was removed. */
  serverName: bounded(activityBounds.server),
  method: bounded(activityBounds.method),
  tool: z.optional(bounded(activityBounds.tool)),
  end: z.enum(callEnds),
  count,
  /** When the last one arrived, in milliseconds since 1970. */
  lastAt: z.int(),
});

export type CallGroup = z.infer<typeof callGroupSchema>;

/** Calls since midnight, as Home shows them. */
const todaySchema = z.strictObject({
  /** How often each app used each server. */
  uses: z
    .array(z.strictObject({ app: appIdSchema, integration: z.string().check(z.maxLength(64)), count, lastAt: z.int() }))
    .check(z.maxLength(todayBounds.uses)),
  /** The newest first. */
  groups: z.array(callGroupSchema).check(z.maxLength(todayBounds.shown)),
  /** Tool calls, also of the last days, that the user was asked about in vain, until dismissed; the newest first. */
  unanswered: z.array(callGroupSchema).check(z.maxLength(todayBounds.shown)),
});

export type Today = z.infer<typeof todaySchema>;

/** The window's calls about the activity log; part of `ipc-contract.ts`. */
export const activityCalls = {
  /** Calls recorded after number `after`, oldest first; `last` is the newest number. */
  'activity:read': {
    input: z.strictObject({ after: z.int().check(z.minimum(0)) }),
    output: z.strictObject({
      /** Number of the oldest call still stored; the window drops older ones. */
      first: z.int(),
      last: z.int(),
      calls: z.array(activityViewSchema).check(z.maxLength(activityBounds.calls)),
    }),
  },
  /** What Home shows. `revision` grows with every change; without one since `after`, there is nothing else. */
  'activity:today': {
    input: z.strictObject({ after: z.int().check(z.minimum(0)) }),
    output: z.strictObject({ revision: z.int(), today: z.optional(todaySchema) }),
  },
  /** The user has seen the unanswered calls up to this moment, in milliseconds since 1970. */
  'activity:dismiss': { input: z.strictObject({ until: z.int() }), output: z.null() },
  /** Exports calls by number, newest first as shown, to a file the user picks. */
  'activity:export': {
    input: z.strictObject({ calls: z.array(z.int()).check(z.maxLength(activityBounds.calls)) }),
    output: z.strictObject({ saved: z.boolean() }),
  },
} as const;

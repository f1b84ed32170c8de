import * as z from 'zod/mini';
import { networkFaults } from './error-catalog/network-errors.ts';
import { errorCodeSchema } from './error-code-schema.ts';
import { remedySchema } from './remedy.ts';

/** The purpose of a request. `authorization` is the browser's request. */
export const tracePurposes = [
  'probe',
  'protected-resource-metadata',
  'authorization-server-metadata',
  'registration',
  'pushed-request',
  'device-authorization',
  'authorization',
  'token',
  'refresh',
  'revocation',
  'registration-update',
  'registration-deletion',
  'registry',
  'icon',
  'mcp',
] as const;

/** `used`: its rule accepted the response. `skipped`: the next rule was tried. `stopped`: the flow ended here. */
const traceVerdicts = ['used', 'skipped', 'stopped'] as const;

export type TracePurpose = (typeof tracePurposes)[number];
/** What a request of Postern itself is for, as shown in traces and in the log. */
export type RequestPurpose = Exclude<TracePurpose, 'authorization'>;
export type TraceVerdict = (typeof traceVerdicts)[number];

const fields = z
  .array(z.strictObject({ name: z.string().check(z.maxLength(200)), value: z.string().check(z.maxLength(400)) }))
  .check(z.maxLength(100));
const message = z.strictObject({ headers: fields, body: fields });

/** One request of a discovery or sign-in, safe to share: secrets and unknown values are removed. */
export const traceEntrySchema = z.strictObject({
  /** From 1, in the order the requests were sent. */
  number: z.int().check(z.positive()),
  purpose: z.enum(tracePurposes),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  url: z.string(),
  /** Milliseconds after the start of the trace. */
  startedAt: z.number().check(z.nonnegative()),
  /** Until the response or the failure. Absent while pending. */
  milliseconds: z.optional(z.number().check(z.nonnegative())),
  request: message,
  status: z.optional(z.int()),
  response: z.optional(message),
  /** Details of the rejected certificate. */
  certificate: z.optional(fields),
  /** The rule applied to the response, and its source. */
  rule: z.string(),
  clause: z.string(),
  verdict: z.enum(traceVerdicts),
  /** Members of the document, or entries of its lists, that were unusable. */
  unusableMembers: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
  /** Why it was skipped, or what stopped the flow. */
  code: z.optional(errorCodeSchema),
  /** Skipped because another response made it unnecessary. */
  isNeedless: z.optional(z.literal(true)),
  fault: z.optional(z.enum(networkFaults)),
  /** What the user can do, if the flow stopped. */
  remedy: z.optional(remedySchema),
});

export type TraceEntry = z.infer<typeof traceEntrySchema>;
export type TraceField = TraceEntry['request']['headers'][number];

/** Stored per server: number of events, number of traced sign-ins; bytes per sign-in and of the file. */
export const historyBounds = { events: 50, signIns: 3, signIn: 131_072, file: 524_288 } as const;

/** `problem`: something the user requested failed. */
const serverEventKinds = [
  'added',
  'signedIn',
  'signInFailed',
  'renewed',
  'renewalFailed',
  'accessLost',
  'signedOut',
  'signOutUndone',
  'problem',
] as const;

/** An event in a server's history, other than app calls. Never contains text from the server. */
export const serverEventSchema = z.strictObject({
  kind: z.enum(serverEventKinds),
  /** Milliseconds since 1970. */
  at: z.int(),
  /** The error of a failure. */
  code: z.optional(errorCodeSchema),
});

/** An event as a window shows it, with the English message of its code. */
export const serverEventViewSchema = z.extend(serverEventSchema, { failure: z.optional(z.string()) });

export type ServerEventView = z.infer<typeof serverEventViewSchema>;

/** A traced sign-in, without secrets. */
export const tracedSignInSchema = z.strictObject({
  /** When it started, in milliseconds since 1970. */
  at: z.int(),
  entries: z.array(traceEntrySchema),
});

export type ServerEvent = z.infer<typeof serverEventSchema>;
export type TracedSignIn = z.infer<typeof tracedSignInSchema>;

/** Newest first. */
export interface ServerHistory {
  readonly events: readonly ServerEvent[];
  readonly signIns: readonly TracedSignIn[];
}

import * as z from 'zod/mini';
import { networkFaults } from './error-catalogue/network-errors.ts';
import { errorCodes } from './error-codes.ts';
import { remedySchema } from './remedy.ts';

/** What a request was for. `authorization` is the one that the browser makes. */
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

/** `used`: its rule took the answer. `passed-over`: the next rule had its turn. `stopped`: the work ended here. */
export const traceVerdicts = ['used', 'passed-over', 'stopped'] as const;

export type TracePurpose = (typeof tracePurposes)[number];
export type TraceVerdict = (typeof traceVerdicts)[number];

const fields = z
  .array(z.strictObject({ name: z.string().check(z.maxLength(200)), value: z.string().check(z.maxLength(400)) }))
  .check(z.maxLength(100));
const message = z.strictObject({ headers: fields, body: fields });

/** One request of a discovery or sign-in as it may be shown to anybody: secrets and unknown values are taken out. */
export const traceEntrySchema = z.strictObject({
  /** From 1, in the order in which the requests left. */
  number: z.int().check(z.positive()),
  purpose: z.enum(tracePurposes),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  url: z.string(),
  /** Milliseconds after the start of the trace. */
  startedAt: z.number().check(z.nonnegative()),
  /** Until the answer, or until there was none. Absent while nothing has come. */
  milliseconds: z.optional(z.number().check(z.nonnegative())),
  request: message,
  status: z.optional(z.int()),
  response: z.optional(message),
  /** The facts of the certificate that was refused. */
  certificate: z.optional(fields),
  /** The rule that judged the answer, and where it is written. */
  rule: z.string(),
  clause: z.string(),
  verdict: z.enum(traceVerdicts),
  /** Members of the document, and entries of their lists, that could not be used. */
  passedOver: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
  /** Why it was passed over, or what stopped the work. */
  code: z.optional(z.enum(errorCodes)),
  /** Passed over since another answer made it needless. */
  isNeedless: z.optional(z.literal(true)),
  fault: z.optional(z.enum(networkFaults)),
  /** What a person can do, where the work stopped. */
  remedy: z.optional(remedySchema),
});

export type TraceEntry = z.infer<typeof traceEntrySchema>;
export type TraceField = TraceEntry['request']['headers'][number];

/** What is kept of one server: so many events, so many sign-ins request by request; bytes of one sign-in, of the file. */
export const historyBounds = { events: 50, signIns: 3, signIn: 131_072, file: 524_288 } as const;

/** `problem`: something that the person asked for failed. */
const serverEventKinds = [
  'added',
  'signedIn',
  'signInFailed',
  'renewed',
  'renewalFailed',
  'accessLost',
  'signedOut',
  'problem',
] as const;

/** Something that happened to a server, beside the calls of programs: never a word of the server's own. */
export const serverEventSchema = z.strictObject({
  kind: z.enum(serverEventKinds),
  /** Milliseconds since 1970. */
  at: z.int(),
  /** Of what failed. */
  code: z.optional(z.enum(errorCodes)),
});

/** An event as a window shows it: with what its code means, in English. */
export const serverEventViewSchema = z.extend(serverEventSchema, { failure: z.optional(z.string()) });

export type ServerEventView = z.infer<typeof serverEventViewSchema>;

/** A sign-in as it went, without its secrets. */
export const keptSignInSchema = z.strictObject({
  /** When it began, milliseconds since 1970. */
  at: z.int(),
  entries: z.array(traceEntrySchema),
});

export type ServerEvent = z.infer<typeof serverEventSchema>;
export type KeptSignIn = z.infer<typeof keptSignInSchema>;

/** Newest first. */
export interface ServerHistory {
  readonly events: readonly ServerEvent[];
  readonly signIns: readonly KeptSignIn[];
}

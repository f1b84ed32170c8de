import * as z from 'zod';
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

const fields = z.array(z.strictObject({ name: z.string().max(200), value: z.string().max(400) })).max(100);
const message = z.strictObject({ headers: fields, body: fields });

/** One request of a discovery or sign-in as it may be shown to anybody: secrets and unknown values are taken out. */
export const traceEntrySchema = z.strictObject({
  /** From 1, in the order in which the requests left. */
  number: z.number().int().positive(),
  purpose: z.enum(tracePurposes),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  url: z.string(),
  /** Milliseconds after the start of the trace. */
  startedAt: z.number().nonnegative(),
  /** Until the answer, or until there was none. Absent while nothing has come. */
  milliseconds: z.number().nonnegative().optional(),
  request: message,
  status: z.number().int().optional(),
  response: message.optional(),
  /** The facts of the certificate that was refused. */
  certificate: fields.optional(),
  /** The rule that judged the answer, and where it is written. */
  rule: z.string(),
  clause: z.string(),
  verdict: z.enum(traceVerdicts),
  /** Members of the document, and entries of their lists, that could not be used. */
  passedOver: z.array(z.string().max(100)).max(100).optional(),
  /** Why it was passed over, or what stopped the work. */
  code: z.enum(errorCodes).optional(),
  /** Passed over since another answer made it needless. */
  isNeedless: z.literal(true).optional(),
  fault: z.enum(networkFaults).optional(),
  /** What a person can do, where the work stopped. */
  remedy: remedySchema.optional(),
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
  at: z.number().int(),
  /** Of what failed. */
  code: z.enum(errorCodes).optional(),
});

/** An event as a window shows it: with what its code means, in English. */
export const serverEventViewSchema = serverEventSchema.extend({ failure: z.string().optional() });

export type ServerEventView = z.infer<typeof serverEventViewSchema>;

/** A sign-in as it went, without its secrets. */
export const keptSignInSchema = z.strictObject({
  /** When it began, milliseconds since 1970. */
  at: z.number().int(),
  entries: z.array(traceEntrySchema),
});

export type ServerEvent = z.infer<typeof serverEventSchema>;
export type KeptSignIn = z.infer<typeof keptSignInSchema>;

/** Newest first. */
export interface ServerHistory {
  readonly events: readonly ServerEvent[];
  readonly signIns: readonly KeptSignIn[];
}

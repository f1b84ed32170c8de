import * as z from 'zod';
import { errorCodes } from './error-codes.ts';
import { traceEntrySchema } from './trace.ts';

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

import * as z from 'zod/mini';
import { plainErrorSchema } from './plain-error.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const number = z.int().check(z.minimum(0));

const revocationOutcomes = ['revoked', 'partly-revoked', 'nothing-to-revoke', 'not-offered', 'failed'] as const;
const registrationOutcomes = ['deleted', 'nothing-to-delete', 'not-offered', 'refused', 'failed'] as const;

/** What came of telling the service of one server. */
export const toldServiceSchema = z.strictObject({
  revocation: z.optional(z.enum(revocationOutcomes)),
  registration: z.optional(z.enum(registrationOutcomes)),
});

/** What came of telling services, in numbers. */
const toldServices = {
  /** Sign-ins whose access the service has ended. */
  ended: number,
  /** Sign-ins whose service could not be told, or not wholly. */
  endsByItself: number,
  /** Registrations that stay at their services. */
  registrationsLeft: number,
};

/** Servers that are signed out or removed together. */
export const deletionViewSchema = z.strictObject({
  id,
  kind: z.enum(['signOut', 'remove']),
  /** Of the first. */
  name: z.string(),
  /** Their ids. */
  servers: z.array(id),
  /** `undoable` for `undoSeconds`; `done`: until it is dismissed. */
  state: z.enum(['undoable', 'deleting', 'done']),
  /** Once it is done; the words of one server are its own. */
  outcome: z.optional(
    z.extend(toldServiceSchema, {
      ...toldServices,
      /** Those that are still here, since somebody has made something new of them meanwhile. */
      kept: number,
      /** Why something is still here. `deletion:finish` or the next start goes on from there. */
      failure: z.optional(plainErrorSchema),
    }),
  ),
});

export type DeletionView = z.infer<typeof deletionViewSchema>;

const byId = z.strictObject({ id });

/** What a window may do about a deletion; a part of `ipc-contract.ts`. */
export const deletionCalls = {
  /** `restored`: how many are back; none where it was too late. `entriesLeft`: programs whose entries are not back. */
  'deletion:undo': {
    input: byId,
    output: z.strictObject({ restored: number, entriesLeft: z.array(z.string().check(z.maxLength(80))) }),
  },
  /** Without waiting any longer; once more where something is still here. */
  'deletion:finish': { input: byId, output: z.null() },
  /** It was seen. */
  'deletion:dismiss': { input: byId, output: z.null() },
} as const;

/** What came of deleting everything, in numbers. */
export const deletedViewSchema = z.strictObject({
  servers: number,
  signIns: number,
  ...toldServices,
  /** Why something is still here; doing it again goes on from there. */
  failure: z.optional(plainErrorSchema),
});

export type DeletedView = z.infer<typeof deletedViewSchema>;

import * as z from 'zod/mini';
import { plainErrorSchema } from './plain-error.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const number = z.int().check(z.minimum(0));

const revocationOutcomes = ['revoked', 'partly-revoked', 'nothing-to-revoke', 'not-offered', 'failed'] as const;
const registrationOutcomes = ['deleted', 'nothing-to-delete', 'not-offered', 'refused', 'failed'] as const;

/** The outcome at one server's service. */
export const serviceOutcomeSchema = z.strictObject({
  revocation: z.optional(z.enum(revocationOutcomes)),
  registration: z.optional(z.enum(registrationOutcomes)),
});

/** The outcomes at the services, in numbers. */
const outcomeCounts = {
  /** Sign-ins that the service revoked. */
  ended: number,
  /** Sign-ins that could not, or not fully, be revoked. */
  endsByItself: number,
  /** Registrations that remain at their services. */
  registrationsLeft: number,
};

/** Servers that are signed out or removed together. */
export const deletionViewSchema = z.strictObject({
  id,
  kind: z.enum(['signOut', 'remove']),
  /** The name of the first server. */
  name: z.string(),
  /** Their ids. */
  servers: z.array(id),
  /** `undoable` for `undoSeconds`; `done`: until it is dismissed. */
  state: z.enum(['undoable', 'deleting', 'done']),
  /** Set when done; a single server has its own outcomes. */
  outcome: z.optional(
    z.extend(serviceOutcomeSchema, {
      ...outcomeCounts,
      /** Servers that were not deleted, because they were changed meanwhile. */
      notDeleted: number,
      /** Why some data remains. `deletion:finish` or the next start continues. */
      failure: z.optional(plainErrorSchema),
    }),
  ),
});

export type DeletionView = z.infer<typeof deletionViewSchema>;

const byId = z.strictObject({ id });

/** The window's calls about a deletion; part of `ipc-contract.ts`. */
export const deletionCalls = {
  /**
   * `restored`: number of restored servers; 0 if it was too late. `entriesNotRestored`: names of apps.
   */
  'deletion:undo': {
    input: byId,
    output: z.strictObject({ restored: number, entriesNotRestored: z.array(z.string().check(z.maxLength(80))) }),
  },
  /** Deletes without waiting any longer, or tries again if some data remains. */
  'deletion:finish': { input: byId, output: z.null() },
  /** The user has seen the outcome. */
  'deletion:dismiss': { input: byId, output: z.null() },
} as const;

/** The outcome of deleting everything, in numbers. */
export const deletedViewSchema = z.strictObject({
  servers: number,
  signIns: number,
  ...outcomeCounts,
  /** Why some data remains; another deletion continues from there. */
  failure: z.optional(plainErrorSchema),
});

export type DeletedView = z.infer<typeof deletedViewSchema>;

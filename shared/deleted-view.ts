import * as z from 'zod';
import { plainErrorSchema } from './plain-error.ts';

const number = z.number().int().min(0);

/** What came of deleting everything, in numbers. */
export const deletedViewSchema = z.strictObject({
  servers: number,
  signIns: number,
  /** Sign-ins whose access the service has ended. */
  ended: number,
  /** Sign-ins whose service could not be told, or not wholly. */
  endsByItself: number,
  /** Registrations that stay at their services. */
  registrationsLeft: number,
  /** Why something is still here; doing it again goes on from there. */
  failure: plainErrorSchema.optional(),
});

export type DeletedView = z.infer<typeof deletedViewSchema>;

import * as z from 'zod';
import { toldServices } from './deletion-view.ts';
import { plainErrorSchema } from './plain-error.ts';

const number = z.number().int().min(0);

/** What came of deleting everything, in numbers. */
export const deletedViewSchema = z.strictObject({
  servers: number,
  signIns: number,
  ...toldServices,
  /** Why something is still here; doing it again goes on from there. */
  failure: plainErrorSchema.optional(),
});

export type DeletedView = z.infer<typeof deletedViewSchema>;

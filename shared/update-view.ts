import * as z from 'zod';
import { plainErrorSchema } from './plain-error.ts';

const updateStates = ['off', 'idle', 'checking', 'available', 'downloading', 'ready'] as const;
/**
 * Why a program does not look for newer versions: it runs from its source; whoever set up this computer decided so; it
 * was built without a feed or without the key that its releases are signed with; it was not installed in a way that
 * can be replaced.
 */
export const updateObstacles = ['source', 'managed', 'unsigned-build', 'not-installed'] as const;

/** Newer versions of the program itself. */
export const updateViewSchema = z.strictObject({
  state: z.enum(updateStates),
  /** With `off`. */
  obstacle: z.enum(updateObstacles).optional(),
  /** The person wants it to look by itself. */
  automatic: z.boolean(),
  /** The newer one. */
  version: z.string().optional(),
  /** While it is downloaded. */
  percent: z.number().min(0).max(100).optional(),
  /** Milliseconds since 1970 of the last look. */
  checkedAt: z.number().optional(),
  error: plainErrorSchema.optional(),
});

export type UpdateView = z.infer<typeof updateViewSchema>;
export type UpdateObstacle = (typeof updateObstacles)[number];

import * as z from 'zod';

/** Program-wide settings; the integration list stands beside them in the same file. */
export const settingsSchema = z.strictObject({
  /** Port of the loopback callback, chosen once and kept, since it is part of registered redirect URIs. */
  callbackPort: z.number().int().min(1_024).max(65_535).optional(),
  signInSurface: z.enum(['popup', 'browser', 'print']).optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

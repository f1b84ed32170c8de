import * as z from 'zod';

const pixels = z.number().int().min(-100_000).max(100_000);

/** Where the window was, in device-independent pixels. */
const placeSchema = z.strictObject({
  x: pixels.optional(),
  y: pixels.optional(),
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
});

/** That closing the window leaves the program running; that it can start with the computer. */
const hints = ['keeps-running', 'start-at-login'] as const;

/** What the window remembers of itself. A member that does not fit is forgotten alone. */
export const rememberedSchema = z.object({
  place: placeSchema.optional().catch(undefined),
  /** The whole side bar. */
  isSidebarFolded: z.boolean().optional().catch(undefined),
  /** What the user has been told, or was asked, once. */
  told: z.array(z.enum(hints)).optional().catch(undefined),
});

export type Hint = (typeof hints)[number];
export type Remembered = z.infer<typeof rememberedSchema>;
export type WindowPlace = z.infer<typeof placeSchema>;

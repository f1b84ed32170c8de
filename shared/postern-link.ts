import * as z from 'zod';

/** What a `postern:` link leads to in the window, where it is shown as if the person had gone there. */
export const posternLinkSchema = z.discriminatedUnion('kind', [
  /** An address to check. */
  z.strictObject({ kind: z.literal('connect'), url: z.string().max(16_384) }),
  /** A server of the list, which may not hold it. */
  z.strictObject({ kind: z.literal('open'), id: z.string().min(1).max(64) }),
  /** None that Postern follows. */
  z.strictObject({ kind: z.literal('unusable') }),
]);

export type PosternLink = z.infer<typeof posternLinkSchema>;

import * as z from 'zod';

const text = z.string().min(1).max(256);

/** Who is signed in, as the service said it. A label for the person; nothing is decided by it. */
export const personSchema = z.strictObject({
  name: text.optional(),
  email: text.optional(),
  /** The organisation, workspace or tenant that was chosen at the sign-in. */
  organisation: text.optional(),
});

export type Person = z.infer<typeof personSchema>;

import * as z from 'zod';

/** Integrations that one program may use. */
export const mostProgramIntegrations = 200;

/** The id of a program in the table of programs (`claude-code`). */
export const programIdSchema = z.string().regex(/^[a-z0-9-]{1,40}$/);

/** An AI program that may use integrations, as its entries name it. It tells programs apart and holds no secret. */
export const programRecordSchema = z.strictObject({
  /** 64 random bits in hexadecimal; stands in the program's entries. */
  id: z.string().regex(/^[a-z0-9]{16}$/),
  program: programIdSchema,
  name: z.string().min(1).max(80),
  /** Ids. */
  integrations: z.array(z.string().regex(/^[a-z0-9-]{1,64}$/)).max(mostProgramIntegrations),
  /** SHA-256 in hexadecimal of the secret that it shows over HTTP. */
  secretHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Milliseconds since 1970, as all moments. */
  createdAt: z.number().int(),
  lastUsedAt: z.number().int().optional(),
  /** From then on nothing that it asks for is answered. */
  revokedAt: z.number().int().optional(),
});

export type ProgramRecord = z.infer<typeof programRecordSchema>;

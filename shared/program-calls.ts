import * as z from 'zod';
import { programIdSchema } from './program-record.ts';
import { programPreviewSchema } from './program-view.ts';

const id = z.string().min(1).max(64);

/** What a window may ask of main about AI programs; a part of `ipc-contract.ts`. */
export const programCalls = {
  /** Looks again which programs are on this computer; they stand in the slice `programs`. */
  'program:find': { input: z.strictObject({}), output: z.null() },
  /** What it takes to let a program use an integration, or not any more. The program's file is read, and nothing written. */
  'program:preview': {
    input: z.strictObject({ program: programIdSchema, integration: id, use: z.boolean() }),
    output: programPreviewSchema,
  },
  /** What it takes to take a change back. */
  'program:previewUndo': { input: z.strictObject({ change: id }), output: programPreviewSchema },
  /** Makes what was shown last, once. */
  'program:change': { input: z.strictObject({ id }), output: z.null() },
  /** Main asks the person; `null`: they said no. */
  'program:revoke': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.strictObject({ revoked: z.literal(true) }).nullable(),
  },
} as const;

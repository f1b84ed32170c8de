import * as z from 'zod';
import { programIdSchema } from './program-record.ts';
import { programEntriesSchema, programOutcomesSchema, programPreviewsSchema } from './program-view.ts';

const id = z.string().min(1).max(64);
/** At once. */
const mostPrograms = 64;
const several = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.strictObject(shape)).min(1).max(mostPrograms);

/** What a window may ask of main about AI programs; a part of `ipc-contract.ts`. */
export const programCalls = {
  /** Looks again which programs are on this computer; they stand in the slice `programs`. */
  'program:find': { input: z.strictObject({}), output: z.null() },
  /**
   * What it takes to let programs use an integration, or not any more. Their files are read, and nothing is written.
   * Errors: of one program that was asked for alone; of several they stand in `refused`.
   */
  'program:preview': {
    input: z.strictObject({ changes: several({ program: programIdSchema, integration: id, use: z.boolean() }) }),
    output: programPreviewsSchema,
  },
  /** What it takes to take changes back. Errors: as of `preview`. */
  'program:previewUndo': {
    input: z.strictObject({ changes: several({ program: programIdSchema, change: id }) }),
    output: programPreviewsSchema,
  },
  /** What else stands in the file of a program, which is read. Values of headers stay in main under the entry's id. */
  'program:look': { input: z.strictObject({ program: programIdSchema }), output: programEntriesSchema },
  /** What it takes to put Postern into the place of an entry whose address is connected, under the same name. */
  'program:previewTakeOver': { input: z.strictObject({ entry: id }), output: programPreviewsSchema },
  /** Makes what was shown last, each once, by the tokens of the previews. Errors: as of `preview`. */
  'program:change': {
    input: z.strictObject({ tokens: z.array(z.string().max(64)).min(1).max(mostPrograms) }),
    output: programOutcomesSchema,
  },
  /** Main asks the person; `null`: they said no. */
  'program:revoke': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.strictObject({ revoked: z.literal(true) }).nullable(),
  },
} as const;

import * as z from 'zod';
import { mostAtOnce } from './deletion-bounds.ts';
import { mostProgramIntegrations, programIdSchema, programNameSchema } from './program-record.ts';
import { programEntriesSchema, programOutcomesSchema, programPreviewsSchema } from './program-view.ts';

const id = z.string().min(1).max(64);
/** At once. */
const mostPrograms = 64;
/** Files of all programs, those of projects too. */
const mostChanges = 500;
const several = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.strictObject(shape)).min(1).max(mostPrograms);

/** Of previews. */
export const changeTokens = z.array(z.string().max(64)).max(mostChanges);

/** What a window may ask of main about AI programs; a part of `ipc-contract.ts`. */
export const programCalls = {
  /** Looks again which programs are on this computer; they stand in the slice `programs`. */
  'program:find': { input: z.strictObject({}), output: z.null() },
  /**
   * What it takes to let programs use integrations, or not any more: all of one program in one change. Their files are read, and nothing is written.
   * Errors: of one program that was asked for alone; of several they stand in `refused`.
   */
  'program:preview': {
    input: z.strictObject({
      changes: several({
        program: programIdSchema,
        integrations: z.array(id).min(1).max(mostProgramIntegrations),
        use: z.boolean(),
        /** Id of a profile of an editor, as a preview names it; left out, the default one. */
        editorProfile: id.optional(),
      }),
    }),
    output: programPreviewsSchema,
  },
  /**
   * The lines for a program that Postern does not know, by a name of the person's. `isHttp`: they hold an address, and
   * the copied ones a secret. Its id is the preview's.
   */
  'program:previewOther': {
    input: z.strictObject({ name: programNameSchema, integration: id, isHttp: z.boolean() }),
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
  /**
   * Entries that would lead nowhere once a server, everything, or what a program may use is gone; they are taken out.
   */
  'program:previewLeaving': {
    input: z.union([
      z.strictObject({ integrations: z.array(id).min(1).max(mostAtOnce) }),
      z.strictObject({ program: programIdSchema }),
      z.strictObject({ everything: z.literal(true) }),
    ]),
    output: programPreviewsSchema,
  },
  /** Entries that hold the address of another port: they are renewed for this, which `settings:update` then sets. */
  'program:previewPort': {
    input: z.strictObject({ port: z.number().int().min(1_024).max(65_535) }),
    output: programPreviewsSchema,
  },
  /** Tries again to open the port that programs hold; why it could not is in the slice `app`. */
  'program:openPort': { input: z.strictObject({}), output: z.strictObject({ isOpen: z.boolean() }) },
  /** Makes what was shown last, each once, by the tokens of the previews. Errors: as of `preview`. */
  'program:change': {
    input: z.strictObject({ tokens: changeTokens.min(1) }),
    output: programOutcomesSchema,
  },
  /** Lines that a person pastes, to the clipboard: by the token of a preview, or of the error that came of it. */
  'program:copyLines': { input: z.strictObject({ token: z.string().max(64) }), output: z.null() },
  /**
   * The user has pasted lines: reads the program's file, and answers the servers whose entry is not there. Of a
   * program without a known file the user's word counts. Errors: PROGRAM_NOT_FOUND, CFG_*.
   */
  'program:pasted': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.strictObject({ missing: z.array(id) }),
  },
  /** Refuses whatever it asks for, or no more. */
  'program:pause': { input: z.strictObject({ program: programIdSchema, paused: z.boolean() }), output: z.null() },
  /** Main asks the person; `null`: they said no. */
  'program:revoke': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.strictObject({ revoked: z.literal(true) }).nullable(),
  },
} as const;

import * as z from 'zod';
import { longestAnswer, textFormats } from './question-field.ts';

const id = z.string().min(1).max(64);
const common = {
  /** As the server calls it. */
  name: z.string().max(128),
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
};
const bounds = { least: z.number().optional(), most: z.number().optional() };
const choices = z.array(z.strictObject({ value: z.string(), label: z.string() }));

const questionFieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('text'),
    format: z.enum(textFormats).optional(),
    pattern: z.string().optional(),
    initial: z.string().optional(),
  }),
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('number'),
    whole: z.boolean(),
    initial: z.number().optional(),
  }),
  z.strictObject({ ...common, kind: z.literal('boolean'), initial: z.boolean().optional() }),
  z.strictObject({ ...common, kind: z.literal('choice'), choices, initial: z.string().optional() }),
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('choices'),
    choices,
    initial: z.array(z.string()).optional(),
  }),
]);

const asked = {
  id,
  integrationId: id,
  /** Its name. */
  integration: z.string(),
  /** Of its address. */
  host: z.string(),
  /** Which tool runs meanwhile, where that is certain. */
  tool: z.string().optional(),
  message: z.string(),
  /** Milliseconds since 1970 at which it is answered without the person. */
  expiresAt: z.number(),
};

/** What a server asks the person at the window while it works for them. */
export const questionViewSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...asked, kind: z.literal('form'), fields: z.array(questionFieldSchema) }),
  z.strictObject({
    ...asked,
    kind: z.literal('page'),
    address: z.string(),
    /** The host of the page, and its port where it has one of its own. */
    place: z.string(),
    /** The name of that host may be read as another one. */
    isConfusable: z.boolean(),
    /** `failed`: no browser could be opened. After both the server waits for a word of the person. */
    state: z.enum(['asked', 'opened', 'failed']),
  }),
]);

const answeredText = z.string().max(longestAnswer);

/** What a window may answer; a part of `ipc-contract.ts`. Of a page that is open, `accept` says that it is done. */
export const questionCalls = {
  'question:answer': {
    input: z.strictObject({
      id,
      answer: z.enum(['accept', 'decline', 'cancel']),
      content: z
        .record(z.string().max(128), z.union([answeredText, z.number(), z.boolean(), z.array(answeredText).max(300)]))
        .optional(),
    }),
    output: z.null(),
  },
} as const;

/** Why a question was answered without the person. */
export const refusedQuestions = ['address', 'form', 'too-many', 'too-late'] as const;

export type QuestionView = z.infer<typeof questionViewSchema>;
export type RefusedQuestion = (typeof refusedQuestions)[number];

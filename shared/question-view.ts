import * as z from 'zod/mini';
import { longestAnswer, textFormats } from './question-field.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const common = {
  /** As the server calls it. */
  name: z.string().check(z.maxLength(128)),
  label: z.string(),
  description: z.optional(z.string()),
  required: z.boolean(),
};
const bounds = { least: z.optional(z.number()), most: z.optional(z.number()) };
const choices = z.array(z.strictObject({ value: z.string(), label: z.string() }));

const questionFieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('text'),
    format: z.optional(z.enum(textFormats)),
    pattern: z.optional(z.string()),
    initial: z.optional(z.string()),
  }),
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('number'),
    whole: z.boolean(),
    initial: z.optional(z.number()),
  }),
  z.strictObject({ ...common, kind: z.literal('boolean'), initial: z.optional(z.boolean()) }),
  z.strictObject({ ...common, kind: z.literal('choice'), choices, initial: z.optional(z.string()) }),
  z.strictObject({
    ...common,
    ...bounds,
    kind: z.literal('choices'),
    choices,
    initial: z.optional(z.array(z.string())),
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
  tool: z.optional(z.string()),
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

const answeredText = z.string().check(z.maxLength(longestAnswer));

/** What a window may answer; a part of `ipc-contract.ts`. Of a page that is open, `accept` says that it is done. */
export const questionCalls = {
  'question:answer': {
    input: z.strictObject({
      id,
      answer: z.enum(['accept', 'decline', 'cancel']),
      content: z.optional(
        z.record(
          z.string().check(z.maxLength(128)),
          z.union([answeredText, z.number(), z.boolean(), z.array(answeredText).check(z.maxLength(300))]),
        ),
      ),
    }),
    output: z.null(),
  },
} as const;

/** Why a question was answered without the person. */
export const refusedQuestions = ['address', 'form', 'too-many', 'too-late'] as const;

export type QuestionView = z.infer<typeof questionViewSchema>;
export type RefusedQuestion = (typeof refusedQuestions)[number];

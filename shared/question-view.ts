import * as z from 'zod/mini';
import { maxAnswerLength, textFormats } from './question-field.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const fieldCommon = {
  /** The server's name for it. */
  name: z.string().check(z.maxLength(128)),
  label: z.string(),
  description: z.optional(z.string()),
  required: z.boolean(),
};
const bounds = { least: z.optional(z.number()), most: z.optional(z.number()) };
const choices = z.array(z.strictObject({ value: z.string(), label: z.string() }));

const questionFieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...fieldCommon,
    ...bounds,
    kind: z.literal('text'),
    format: z.optional(z.enum(textFormats)),
    pattern: z.optional(z.string()),
    initial: z.optional(z.string()),
  }),
  z.strictObject({
    ...fieldCommon,
    ...bounds,
    kind: z.literal('number'),
    whole: z.boolean(),
    initial: z.optional(z.number()),
  }),
  z.strictObject({ ...fieldCommon, kind: z.literal('boolean'), initial: z.optional(z.boolean()) }),
  z.strictObject({ ...fieldCommon, kind: z.literal('choice'), choices, initial: z.optional(z.string()) }),
  z.strictObject({
    ...fieldCommon,
    ...bounds,
    kind: z.literal('choices'),
    choices,
    initial: z.optional(z.array(z.string())),
  }),
]);

const commonFields = {
  id,
  integrationId: id,
  /** The server's name. */
  integration: z.string(),
  /** The host of the server's address. */
  host: z.string(),
  /** The running tool, if certain. */
  tool: z.optional(z.string()),
  message: z.string(),
  /** When it is cancelled without an answer, in milliseconds since 1970. */
  expiresAt: z.number(),
};

/** A server's question to the user during a call (MCP elicitation). */
export const questionViewSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...commonFields, kind: z.literal('form'), fields: z.array(questionFieldSchema) }),
  z.strictObject({
    ...commonFields,
    kind: z.literal('page'),
    address: z.string(),
    /** The host of the page, with its port if it is not the default. */
    place: z.string(),
    /** The host name can be mistaken for another. */
    isConfusable: z.boolean(),
    /**
     * `failed`: no browser could be opened. After `opened` and `failed`, the server waits for the user's confirmation.
     */
    state: z.enum(['asked', 'opened', 'failed']),
  }),
]);

const answeredText = z.string().check(z.maxLength(maxAnswerLength));

/** The window's answers; part of `ipc-contract.ts`. For an open page, `accept` means done. */
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

/** Why a question was declined without asking the user. */
export const questionRefusals = ['address', 'form', 'too-many', 'too-late'] as const;

export type QuestionView = z.infer<typeof questionViewSchema>;
export type QuestionRefusal = (typeof questionRefusals)[number];

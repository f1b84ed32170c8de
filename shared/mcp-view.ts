import * as z from 'zod/mini';

// What servers say, cut and without control characters; to be shown as text only.

const jsonObject = z.record(z.string(), z.json());

export const toolViewSchema = z.strictObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  /** JSON schema of its arguments, for the form. */
  inputSchema: jsonObject,
  /** Hints of the server, not promises (MCP, tool annotations). */
  readOnly: z.optional(z.boolean()),
  destructive: z.optional(z.boolean()),
  /** What of its words a person should read: what nobody sees, written out, and what speaks to the model. No judgement. */
  hints: z.optional(
    z.array(z.strictObject({ kind: z.enum(['hidden', 'instructions']), excerpt: z.string().check(z.maxLength(400)) })),
  ),
});

export const resourceViewSchema = z.strictObject({
  uri: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  /** The URI is an RFC 6570 template. */
  template: z.boolean(),
  /** What fills it; left out where it cannot be read, so that a person fills it by hand. */
  gaps: z.optional(z.array(z.strictObject({ name: z.string(), required: z.boolean() }))),
});

export const promptViewSchema = z.strictObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.optional(z.string()), required: z.boolean() })),
});

/** One piece of a result, as far as it is shown. */
export const contentViewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), cut: z.boolean() }),
  z.strictObject({
    type: z.literal('json'),
    json: z.json(),
    /** Not all of it is here: how many members there are where some are left out, by JSON pointer. */
    cut: z.optional(z.record(z.string(), z.number())),
  }),
  z.strictObject({ type: z.literal('link'), uri: z.string(), name: z.string() }),
  z.strictObject({
    type: z.literal('binary'),
    kind: z.enum(['image', 'audio', 'resource']),
    mimeType: z.string(),
    /** Bytes. */
    size: z.number(),
    /** Base64, where it is of a type and size that can be shown or played. */
    data: z.optional(z.string()),
  }),
]);

export const promptMessageViewSchema = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.array(contentViewSchema),
});

/** A part of what a server listed or answered that is not as MCP wants it. Names are the server's words. */
export const unusablePartSchema = z.strictObject({
  list: z.enum(['tools', 'resources', 'resourceTemplates', 'prompts', 'content', 'contents', 'messages', 'values']),
  /** Of the entry, from 0; absent: the list itself. */
  index: z.optional(z.number()),
  name: z.optional(z.string()),
  /** What of it is wrong; absent: all of it. */
  member: z.optional(z.string()),
  /** The entry is there all the same: without that member, or as JSON. */
  isKept: z.optional(z.literal(true)),
});

export type ToolView = z.infer<typeof toolViewSchema>;
export type UnusablePart = z.infer<typeof unusablePartSchema>;
export type ResourceView = z.infer<typeof resourceViewSchema>;
export type PromptView = z.infer<typeof promptViewSchema>;
export type ContentView = z.infer<typeof contentViewSchema>;
export type PromptMessageView = z.infer<typeof promptMessageViewSchema>;

/** What the window names a call by that it waits for. */
export const callId = z.string().check(z.minLength(1), z.maxLength(64));
const done = z.null();

/** What a window may ask of main about a result; a part of `ipc-contract.ts`. Main keeps the last ones by their calls. */
export const resultCalls = {
  /** Text goes to the clipboard. */
  'result:copy': { input: z.strictObject({ call: callId }), output: done },
  /** To a file that the person chooses. Without `piece`, all that is text in it. */
  'result:save': {
    input: z.strictObject({ call: callId, piece: z.optional(z.int().check(z.minimum(0), z.maximum(100_000))) }),
    output: z.strictObject({ saved: z.boolean() }),
  },
  /** In the person's browser: a link that stands in the result. */
  'result:open': { input: z.strictObject({ call: callId, url: z.string().check(z.maxLength(16_384)) }), output: done },
} as const;

import * as z from 'zod';

// What servers say, cut and without control characters; to be shown as text only.

const jsonObject = z.record(z.string(), z.json());

export const toolViewSchema = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  /** JSON schema of its arguments, for the form. */
  inputSchema: jsonObject,
  /** Hints of the server, not promises (MCP, tool annotations). */
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  /** What of its words a person should read: what nobody sees, written out, and what speaks to the model. No judgement. */
  hints: z.array(z.strictObject({ kind: z.enum(['hidden', 'instructions']), excerpt: z.string().max(400) })).optional(),
});

export const resourceViewSchema = z.strictObject({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  /** The URI is an RFC 6570 template. */
  template: z.boolean(),
  /** What fills it; left out where it cannot be read, so that a person fills it by hand. */
  gaps: z.array(z.strictObject({ name: z.string(), required: z.boolean() })).optional(),
});

export const promptViewSchema = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string().optional(), required: z.boolean() })),
});

/** One piece of a result, as far as it is shown. */
export const contentViewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), cut: z.boolean() }),
  z.strictObject({
    type: z.literal('json'),
    json: z.json(),
    /** Not all of it is here: how many members there are where some are left out, by JSON pointer. */
    cut: z.record(z.string(), z.number()).optional(),
  }),
  z.strictObject({ type: z.literal('link'), uri: z.string(), name: z.string() }),
  z.strictObject({
    type: z.literal('binary'),
    kind: z.enum(['image', 'audio', 'resource']),
    mimeType: z.string(),
    /** Bytes. */
    size: z.number(),
    /** Base64, where it is of a type and size that can be shown or played. */
    data: z.string().optional(),
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
  index: z.number().optional(),
  name: z.string().optional(),
  /** What of it is wrong; absent: all of it. */
  member: z.string().optional(),
  /** The entry is there all the same: without that member, or as JSON. */
  isKept: z.literal(true).optional(),
});

export type ToolView = z.infer<typeof toolViewSchema>;
export type UnusablePart = z.infer<typeof unusablePartSchema>;
export type ResourceView = z.infer<typeof resourceViewSchema>;
export type PromptView = z.infer<typeof promptViewSchema>;
export type ContentView = z.infer<typeof contentViewSchema>;
export type PromptMessageView = z.infer<typeof promptMessageViewSchema>;

/** What the window names a call by that it waits for. */
export const callId = z.string().min(1).max(64);
const done = z.null();

/** What a window may ask of main about a result; a part of `ipc-contract.ts`. Main keeps the last ones by their calls. */
export const resultCalls = {
  /** Text goes to the clipboard. */
  'result:copy': { input: z.strictObject({ call: callId }), output: done },
  /** To a file that the person chooses. Without `piece`, all that is text in it. */
  'result:save': {
    input: z.strictObject({ call: callId, piece: z.number().int().min(0).max(100_000).optional() }),
    output: z.strictObject({ saved: z.boolean() }),
  },
  /** In the person's browser: a link that stands in the result. */
  'result:open': { input: z.strictObject({ call: callId, url: z.string().max(16_384) }), output: done },
} as const;

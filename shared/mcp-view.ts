import * as z from 'zod/mini';

// Server text, truncated and without control characters; show it as text only.

const jsonObject = z.record(z.string(), z.json());

export const toolViewSchema = z.strictObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  /** The JSON schema of its arguments, for the form. */
  inputSchema: jsonObject,
  /** Hints of the server, not promises (MCP, tool annotations). */
  readOnly: z.optional(z.boolean()),
  destructive: z.optional(z.boolean()),
  /**
   * Excerpts that the user should read: invisible characters, escaped, and text that addresses the model. No judgment.
   */
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
  /** The template's variables; absent if it can't be parsed, so that the user fills it in by hand. */
  gaps: z.optional(z.array(z.strictObject({ name: z.string(), required: z.boolean() }))),
});

export const promptViewSchema = z.strictObject({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.optional(z.string()), required: z.boolean() })),
});

/** One piece of a result, as shown. */
export const contentViewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), cut: z.boolean() }),
  z.strictObject({
    type: z.literal('json'),
    json: z.json(),
    /** Truncated: the real number of members, by JSON pointer. */
    cut: z.optional(z.record(z.string(), z.number())),
  }),
  z.strictObject({ type: z.literal('link'), uri: z.string(), name: z.string() }),
  z.strictObject({
    type: z.literal('binary'),
    kind: z.enum(['image', 'audio', 'resource']),
    mimeType: z.string(),
    /** Bytes. */
    size: z.number(),
    /** Base64, if its type and size can be shown or played. */
    data: z.optional(z.string()),
  }),
]);

export const promptMessageViewSchema = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.array(contentViewSchema),
});

/** A part of a list or result that violates MCP. Names are the server's. */
export const unusablePartSchema = z.strictObject({
  list: z.enum(['tools', 'resources', 'resourceTemplates', 'prompts', 'content', 'contents', 'messages', 'values']),
  /** Index of the entry, from 0; absent: the list itself. */
  index: z.optional(z.number()),
  name: z.optional(z.string()),
  /** The invalid member; absent: the whole entry. */
  member: z.optional(z.string()),
  /** The entry is still shown: without that member, or as JSON. */
  isPartlyUsed: z.optional(z.literal(true)),
});

export type ToolView = z.infer<typeof toolViewSchema>;
export type UnusablePart = z.infer<typeof unusablePartSchema>;
export type ResourceView = z.infer<typeof resourceViewSchema>;
export type PromptView = z.infer<typeof promptViewSchema>;

/** Characters of a title or name in a sentence for an AI model. */
const maxPlainText = 60;
const plainText = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ’'?!,./&+()_-]*$/u;

const isPlain = (text: string): boolean => text.length <= maxPlainText && plainText.test(text);

/**
 * The words of a sentence that a user gives to an AI model: short and without quotes or line breaks, so that the text
 * stays a name. `undefined` if the tool may change something, or a text could pass for more than a name.
 */
export function exampleFor(
  { name, title = name, readOnly, hints = [] }: Pick<ToolView, 'name' | 'title' | 'readOnly' | 'hints'>,
  server: string,
): { readonly title: string; readonly server: string } | undefined {
  return readOnly === true && hints.length === 0 && isPlain(title) && isPlain(server) ? { title, server } : undefined;
}

export type ContentView = z.infer<typeof contentViewSchema>;
export type PromptMessageView = z.infer<typeof promptMessageViewSchema>;

/** The window's id of a pending call. */
export const callId = z.string().check(z.minLength(1), z.maxLength(64));
const done = z.null();

/** The window's calls about a result; part of `ipc-contract.ts`. Main retains the latest results by call. */
export const resultCalls = {
  /** Copies the text to the clipboard. */
  'result:copy': { input: z.strictObject({ call: callId }), output: done },
  /** Saves to a file that the user picks. Without `piece`, all of its text. */
  'result:save': {
    input: z.strictObject({ call: callId, piece: z.optional(z.int().check(z.minimum(0), z.maximum(100_000))) }),
    output: z.strictObject({ saved: z.boolean() }),
  },
  /** Opens a link from the result in the user's browser. */
  'result:open': { input: z.strictObject({ call: callId, url: z.string().check(z.maxLength(16_384)) }), output: done },
} as const;

/** One name in a JSON pointer (RFC 6901 section 3). */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

import * as z from 'zod';

/** What is to be said of a server in a pasted list, by name. */
export const importNotes = [
  'unwrapped-mcp-remote',
  'header-to-fill-in',
  'header-unusable',
  'url-to-fill-in',
  'local-command',
  'command-to-fill-in',
  'command-unusable',
  'switched-off',
  'tools-unread',
] as const;

/** An entry of a list that cannot be read, and its member that is not as it should be; without one, none of it is. */
export const unreadEntrySchema = z.strictObject({ name: z.string(), member: z.string().optional() });

export type UnreadEntry = Readonly<z.infer<typeof unreadEntrySchema>>;

export type ImportNote = (typeof importNotes)[number];

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

/** The server with an address that does what a command would, with no program on this computer. */
export const remoteOfSchema = z.strictObject({
  /** Of the service, or its host. */
  name: z.string(),
  address: z.string(),
  /** The command does nothing but lead there. */
  isBridged: z.boolean(),
});

export type RemoteOf = z.infer<typeof remoteOfSchema>;

const id = z.string().min(1).max(64);
/** Of a whole pasted file. */
const fileText = z.string().max(1_048_576);

/** What a window may ask of main about whole lists of servers; a part of `ipc-contract.ts`. */
export const listCalls = {
  /** The text of an `mcp.json`. Nothing of it is run; values of headers and variables stay in main under the entry's id. */
  'import:read': {
    input: z.strictObject({ text: fileText }),
    output: z.strictObject({
      entries: z.array(
        z.strictObject({
          id,
          name: z.string(),
          kind: z.enum(['remote', 'local']),
          /** Of a remote one. */
          url: z.string().optional(),
          /** It comes with fixed headers of these names. */
          headerNames: z.array(z.string()).optional(),
          /** Of a local one: the program that it starts. */
          command: z.string().optional(),
          /** Of a local one. */
          remote: remoteOfSchema.optional(),
          /** Id of the integration that runs the same command with the same values. */
          connectedAs: id.optional(),
          notes: z.array(z.enum(importNotes)),
        }),
      ),
      /** How many the list has beyond these; left out: none. */
      more: z.number().optional(),
      unread: z.array(unreadEntrySchema).optional(),
    }),
  },
  /** Without secrets, and without the queries of addresses, to a file that the person chooses. */
  'list:export': { input: z.strictObject({}), output: z.strictObject({ saved: z.boolean() }) },
  /**
   * From a file that the person chooses, or from its text (dropped, pasted). Everything in it has to be signed in to.
   */
  'list:import': {
    input: z.strictObject({ text: fileText.optional() }),
    output: z.strictObject({
      /** Ids, in the order of the list: the "sign in again" checklist. */
      added: z.array(id),
      /** There already, with the same address and name. */
      skipped: z.number(),
      refused: z.number(),
      /** Endpoints and permissions of the file: they are asked for when it is signed in to. */
      leftOut: z.number(),
      cancelled: z.boolean(),
    }),
  },
} as const;

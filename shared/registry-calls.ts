import * as z from 'zod';

/** By which the window can stop a search. */
const call = z.string().min(1).max(64);

/** One address of a server in the registry. All its texts are the publisher's, made fit to be shown. */
const registryRemoteSchema = z.strictObject({
  /** With `{name}` for each of `blanks`. */
  url: z.string(),
  /** Host and port, as they are shown; a blank may stand in it. */
  place: z.string(),
  /** `sse`: the transport of before (MCP 2024-11-05). */
  transport: z.enum(['http', 'sse']),
  /** What the person has to fill in. */
  blanks: z.array(
    z.strictObject({
      name: z.string(),
      what: z.string().optional(),
      choices: z.array(z.string()).optional(),
      usual: z.string().optional(),
      isSecret: z.boolean(),
    }),
  ),
  /** Headers that it wants with each request. */
  headers: z.array(z.strictObject({ name: z.string(), what: z.string().optional() })),
  /** The address is at the domain that the name of the server is made of. */
  isAtOwnDomain: z.boolean(),
});

const registryServerSchema = z.strictObject({
  /** As it was published, such as `com.example/notes`. ASCII alone. */
  name: z.string(),
  /** Left out where its letters may be taken for others. */
  title: z.string().optional(),
  does: z.string().optional(),
  remotes: z.array(registryRemoteSchema).min(1),
});

/** What a window may ask of main about the MCP registry; a part of `ipc-contract.ts`. */
export const registryCalls = {
  /** Sends the words to the registry of the settings, where the person has turned that on. */
  'registry:search': {
    input: z.strictObject({ call, words: z.string().trim().min(1).max(80) }),
    output: z.strictObject({
      servers: z.array(registryServerSchema),
      /** Entries that fit and have no address that Postern could use. */
      leftOut: z.number(),
      /** There are more than these. */
      isPartial: z.boolean(),
      /** When the registry said so; milliseconds since 1970. */
      askedAt: z.number(),
    }),
  },
  'registry:stop': { input: z.strictObject({ call }), output: z.null() },
} as const;

export type RegistryRemote = z.infer<typeof registryRemoteSchema>;
export type RegistryServer = z.infer<typeof registryServerSchema>;

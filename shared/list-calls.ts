import * as z from 'zod/mini';
import { localCommandSchema, remoteOfSchema } from './local-command.ts';
import { importNotes } from './pasted/read-pasted.ts';
import { plainErrorSchema } from './plain-error.ts';
import { commandBounds, variableName } from './shown-command.ts';

/** An entry of a list that cannot be read, and its member that is not as it should be; without one, none of it is. */
export const unreadEntrySchema = z.strictObject({ name: z.string(), member: z.optional(z.string()) });

export type UnreadEntry = Readonly<z.infer<typeof unreadEntrySchema>>;

const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Of a whole pasted file. */
const fileText = z.string().check(z.maxLength(1_048_576));

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
          url: z.optional(z.string()),
          /** It comes with fixed headers of these names. */
          headerNames: z.optional(z.array(z.string())),
          /** It comes with keys, in headers or in its address: whatever has others is another server. */
          hasKeys: z.optional(z.literal(true)),
          /** Id of the entry before it that is the same server. */
          sameAs: z.optional(id),
          /** Of a local one: the program that it starts. */
          command: z.optional(z.string()),
          /** Of a local one. */
          remote: z.optional(remoteOfSchema),
          /** Id of the integration that has the same address and keys, or runs the same command with the same values. */
          connectedAs: z.optional(id),
          notes: z.array(z.enum(importNotes)),
        }),
      ),
      /** How many the list has beyond these; left out: none. */
      more: z.optional(z.number()),
      unread: z.optional(z.array(unreadEntrySchema)),
    }),
  },
  /**
   * Connects those that need neither a sign-in nor a decision, each as a connection that can be followed; what waits for
   * the user waits there. `call` is told how many have been dealt with.
   */
  'import:connectAll': {
    /** `local`: those at loopback addresses run on this computer. */
    input: z.strictObject({ call: id, entries: z.array(id), local: z.boolean() }),
    output: z.strictObject({
      /** Those that were dealt with and do not wait for the user. */
      entries: z.array(z.strictObject({ id, connectedAs: z.optional(id), error: z.optional(plainErrorSchema) })),
    }),
  },
  /** What has begun ends, and is forgotten. */
  'import:stop': { input: z.strictObject({ call: id }), output: z.null() },
  /** Without secrets, and without the queries of addresses, to a file that the person chooses. */
  'list:export': {
    input: z.strictObject({}),
    /** `leftOut`: names of those that run on this computer. */
    output: z.strictObject({ saved: z.boolean(), leftOut: z.array(z.string()) }),
  },
  /**
   * From a file that the person chooses, or from its text (dropped, pasted). Everything in it has to be signed in to.
   */
  'list:import': {
    input: z.strictObject({ text: z.optional(fileText) }),
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

const done = z.null();
const localState = z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']);
const commandWord = z.string().check(z.maxLength(commandBounds.length));

/** What a window may ask of main about servers that run on this computer; a part of `ipc-contract.ts`. */
export const localCalls = {
  /** A command of a list, by the id of its entry, as the form is to have it. Values of its variables stay in main. */
  'local:draft': {
    input: z.strictObject({ entry: id }),
    output: z.strictObject({
      /** For `local:prepare`. */
      draft: id,
      /** One that no server has yet. */
      name: z.string(),
      words: z.array(z.string()),
      folder: z.optional(z.string()),
      /** `isKept`: with a value of the list. */
      variables: z.array(z.strictObject({ name: z.string(), isKept: z.boolean() })),
    }),
  },
  /** Finds out what would run, and starts nothing. Values stay in main from here on. */
  'local:prepare': {
    input: z.strictObject({
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
      words: z.array(commandWord).check(z.minLength(1), z.maxLength(commandBounds.words)),
      folder: z.optional(commandWord.check(z.minLength(1))),
      /** One without a value has that of the draft. */
      variables: z
        .array(
          z.strictObject({
            name: z.string().check(z.regex(variableName)),
            value: z.optional(z.string().check(z.maxLength(32_768))),
          }),
        )
        .check(z.maxLength(commandBounds.variables)),
      draft: z.optional(id),
    }),
    output: z.strictObject({
      /** For `local:connect`. */
      token: id,
      command: localCommandSchema,
      /** Variables that the user has to see, without what looks like a secret. */
      shown: z.array(z.strictObject({ name: z.string(), value: z.string(), decides: z.boolean() })),
      /** To be offered first. */
      remote: z.optional(remoteOfSchema),
    }),
  },
  /** Asks the person in a dialog of the system, and connects it then. `null`: they said no. */
  'local:connect': {
    input: z.strictObject({ token: id, call: id }),
    output: z.nullable(z.strictObject({ id, tools: z.number() })),
  },
  'local:cancel': { input: z.strictObject({ call: id }), output: done },
  'local:status': {
    input: z.strictObject({ id, since: z.int().check(z.nonnegative()) }),
    output: z.strictObject({
      state: localState,
      /** Milliseconds since 1970. */
      processes: z.array(z.strictObject({ pid: z.number(), startedAt: z.number() })),
      /** What it has written after the first `since` bytes, made fit to be shown. */
      output: z.string(),
      total: z.number(),
      /** False: nobody has allowed the command as it is now. */
      isAllowed: z.boolean(),
    }),
  },
  /** It may run again; what was not allowed yet is asked about in a dialog of the system. `null`: the person said no. */
  'local:start': {
    /** `isShared`: as of `local:share`. */
    input: z.strictObject({ id, isShared: z.optional(z.boolean()) }),
    /** Without a state nobody serves apps. */
    output: z.nullable(z.strictObject({ id, state: z.optional(localState) })),
  },
  /** Whether its sessions share one process, from the next one on that starts. */
  'local:share': { input: z.strictObject({ id, isShared: z.boolean() }), output: done },
  /** `null`: nobody serves apps. */
  'local:stop': { input: z.strictObject({ id }), output: z.nullable(z.strictObject({ state: localState })) },
} as const;

/** By which the window can stop a search. */
const call = z.string().check(z.minLength(1), z.maxLength(64));

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
      what: z.optional(z.string()),
      choices: z.optional(z.array(z.string())),
      usual: z.optional(z.string()),
      isSecret: z.boolean(),
    }),
  ),
  /** Headers that it wants with each request. */
  headers: z.array(z.strictObject({ name: z.string(), what: z.optional(z.string()) })),
  /** The address is at the domain that the name of the server is made of. */
  isAtOwnDomain: z.boolean(),
});

const registryServerSchema = z.strictObject({
  /** As it was published, such as `com.example/notes`. ASCII alone. */
  name: z.string(),
  /** Left out where its letters may be taken for others. */
  title: z.optional(z.string()),
  does: z.optional(z.string()),
  remotes: z.array(registryRemoteSchema).check(z.minLength(1)),
});

/** What a window may ask of main about the MCP registry; a part of `ipc-contract.ts`. */
export const registryCalls = {
  /** Sends the words to the registry of the settings, where the person has turned that on. */
  'registry:search': {
    input: z.strictObject({ call, words: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)) }),
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

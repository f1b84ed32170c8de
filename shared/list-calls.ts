import * as z from 'zod/mini';
import { localCommandSchema, remoteAlternativeSchema } from './local-command.ts';
import { importNotes } from './pasted/read-pasted.ts';
import { plainErrorSchema } from './plain-error.ts';
import { commandBounds, variableName } from './command-display.ts';

/** An unreadable list entry and its invalid member; without one, the whole entry is invalid. */
export const unreadableEntrySchema = z.strictObject({ name: z.string(), member: z.optional(z.string()) });

export type UnreadableEntryView = Readonly<z.infer<typeof unreadableEntrySchema>>;

const id = z.string().check(z.minLength(1), z.maxLength(64));
/** A whole pasted file. */
const fileText = z.string().check(z.maxLength(1_048_576));

/** The window's calls about whole server lists; part of `ipc-contract.ts`. */
export const listCalls = {
  /** Reads the text of an `mcp.json`. Runs nothing; header and variable values stay in main under the entry's id. */
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
          /** Names of its fixed headers. */
          headerNames: z.optional(z.array(z.string())),
          /** It has keys in headers or its address: with other keys, it is another server. */
          hasKeys: z.optional(z.literal(true)),
          /** Id of an earlier entry for the same server. */
          sameAs: z.optional(id),
          /** For a local entry: the program that it starts. */
          command: z.optional(z.string()),
          /** For a local entry. */
          remote: z.optional(remoteAlternativeSchema),
          /** Id of the integration with the same address and keys, or the same command and values. */
          connectedAs: z.optional(id),
          notes: z.array(z.enum(importNotes)),
        }),
      ),
      /** Number of further entries; absent: none. */
      more: z.optional(z.number()),
      unreadable: z.optional(z.array(unreadableEntrySchema)),
    }),
  },
  /**
   * Connects the entries that need neither a sign-in nor a decision, each as a sign-in attempt. Others wait there for
   * the user. `call` reports progress.
   */
  'import:connectAll': {
    /** `local`: entries at loopback addresses run on this computer. */
    input: z.strictObject({ call: id, entries: z.array(id), local: z.boolean() }),
    output: z.strictObject({
      /** The entries that are finished and do not wait for the user. */
      entries: z.array(z.strictObject({ id, connectedAs: z.optional(id), error: z.optional(plainErrorSchema) })),
    }),
  },
  /** Stops and discards what is in progress. */
  'import:stop': { input: z.strictObject({ call: id }), output: z.null() },
  /** Exports without secrets and URL queries, to a file that the user picks. */
  'list:export': {
    input: z.strictObject({}),
    /** `leftOut`: names of local servers. */
    output: z.strictObject({ saved: z.boolean(), leftOut: z.array(z.string()) }),
  },
  /**
   * Imports from a file that the user picks, or from its text (dropped, pasted). Every imported server needs a sign-in.
   */
  'list:import': {
    input: z.strictObject({ text: z.optional(fileText) }),
    output: z.strictObject({
      /** Ids in list order, for the "sign in again" checklist. */
      added: z.array(id),
      /** Already connected with the same address and name. */
      skipped: z.number(),
      refused: z.number(),
      /** Endpoints and permissions in the file; the user is asked at sign-in instead. */
      leftOut: z.number(),
      cancelled: z.boolean(),
    }),
  },
} as const;

const done = z.null();
const localState = z.enum(['off', 'starting', 'running', 'waiting', 'failed', 'stopped']);
const commandWord = z.string().check(z.maxLength(commandBounds.length));

/** The window's calls about local servers; part of `ipc-contract.ts`. */
export const localCalls = {
  /** The form's content for a list entry's command. Variable values stay in main. */
  'local:draft': {
    input: z.strictObject({ entry: id }),
    output: z.strictObject({
      /** For `local:prepare`. */
      draft: id,
      /** A name that is not taken. */
      name: z.string(),
      words: z.array(z.string()),
      folder: z.optional(z.string()),
      /** `hasListedValue`: its value comes from the list. */
      variables: z.array(z.strictObject({ name: z.string(), hasListedValue: z.boolean() })),
    }),
  },
  /** Resolves what would run, without starting it. From here on, values stay in main. */
  'local:prepare': {
    input: z.strictObject({
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
      words: z.array(commandWord).check(z.minLength(1), z.maxLength(commandBounds.words)),
      folder: z.optional(commandWord.check(z.minLength(1))),
      /** A variable without a value uses the draft's. */
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
      /** Variables that the user has to see, with secrets hidden. */
      shown: z.array(z.strictObject({ name: z.string(), value: z.string(), decides: z.boolean() })),
      /** A remote server to suggest first. */
      remote: z.optional(remoteAlternativeSchema),
    }),
  },
  /** Asks the user in a system dialog, then connects it. `null`: they declined. */
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
      /** Its output after the first `since` bytes, sanitized for display. */
      output: z.string(),
      total: z.number(),
      /** False: the current command is not allowed. */
      isAllowed: z.boolean(),
    }),
  },
  /** Lets it run again; a system dialog asks about a command that is not allowed yet. `null`: the user declined. */
  'local:start': {
    /** `isShared`: as in `local:share`. */
    input: z.strictObject({ id, isShared: z.optional(z.boolean()) }),
    /** Without a state, no process serves apps. */
    output: z.nullable(z.strictObject({ id, state: z.optional(localState) })),
  },
  /** Whether its sessions share one process, from the next start. */
  'local:share': { input: z.strictObject({ id, isShared: z.boolean() }), output: done },
  /** `null`: no process serves apps. */
  'local:stop': { input: z.strictObject({ id }), output: z.nullable(z.strictObject({ state: localState })) },
} as const;

/** The id with which the window can stop a search. */
const call = z.string().check(z.minLength(1), z.maxLength(64));

/** One address of a server in the registry. All texts are the publisher's, sanitized for display. */
const registryRemoteSchema = z.strictObject({
  /** With `{name}` for each blank. */
  url: z.string(),
  /** Host and port for display; may contain a blank. */
  place: z.string(),
  /** `sse`: the old transport (MCP 2024-11-05). */
  transport: z.enum(['http', 'sse']),
  /** What the user has to fill in. */
  blanks: z.array(
    z.strictObject({
      name: z.string(),
      what: z.optional(z.string()),
      choices: z.optional(z.array(z.string())),
      usual: z.optional(z.string()),
      isSecret: z.boolean(),
    }),
  ),
  /** Headers that it needs with each request. */
  headers: z.array(z.strictObject({ name: z.string(), what: z.optional(z.string()) })),
  /** The address belongs to the domain in the server's name. */
  isAtOwnDomain: z.boolean(),
});

const registryServerSchema = z.strictObject({
  /** The published name, such as `com.example/notes`. ASCII only. */
  name: z.string(),
  /** Absent if its letters can be confused with others. */
  title: z.optional(z.string()),
  does: z.optional(z.string()),
  remotes: z.array(registryRemoteSchema).check(z.minLength(1)),
});

/** The window's calls about the MCP registry; part of `ipc-contract.ts`. */
export const registryCalls = {
  /** Sends the words to the configured registry, if the user has turned that on. */
  'registry:search': {
    input: z.strictObject({ call, words: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)) }),
    output: z.strictObject({
      servers: z.array(registryServerSchema),
      /** Number of matches without a usable address. */
      leftOut: z.number(),
      /** There are more results. */
      isPartial: z.boolean(),
      /** When the registry responded, in milliseconds since 1970. */
      askedAt: z.number(),
    }),
  },
  'registry:stop': { input: z.strictObject({ call }), output: z.null() },
} as const;

export type RegistryRemote = z.infer<typeof registryRemoteSchema>;
export type RegistryServer = z.infer<typeof registryServerSchema>;

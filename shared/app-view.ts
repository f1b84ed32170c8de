import * as z from 'zod/mini';
import { appIconBytes, maxServersAtOnce } from './bounds.ts';
import { collectionSchema, collectionTitleSchema } from './collection.ts';
import { maxCollectionMembers } from './entry-name.ts';
import { toolPermissionsSchema } from './integration.ts';
import { unreadableEntrySchema } from './list-calls.ts';
import { importNotes } from './pasted/read-pasted.ts';
import { plainErrorSchema } from './plain-error.ts';
import { maxAppIntegrations, appIdSchema, appNameSchema } from './app-record.ts';
import { toolPresets } from './tool-permissions.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const path = z.string().check(z.maxLength(4_096));
/** Rules of one server for one app. */
const permissionLevel = z.pick(toolPermissionsSchema, { preset: true, without: true, rules: true });
/** When an app notices a change of its configuration. */
const notice = z.enum(['at-once', 'button', 'new-session', 'restart']);
/**
 * Peculiarities of an app that gets an entry: it asks whether to trust the server; it uses the user's servers only in
 * trusted folders; the ChatGPT app shares its configuration.
 */
export const appNotes = ['asks-for-trust', 'trusted-folders', 'chatgpt-too'] as const;
export type AppNote = (typeof appNotes)[number];
const note = z.optional(z.enum(appNotes));
const notesForUser = {
  note,
  /** The app's own setting that excludes the entry. */
  excludedBy: z.optional(z.string()),
  /** The file's byte order mark is removed too. */
  removesBom: z.optional(z.literal(true)),
};

/** An AI app on this computer, as a window shows it. `app:find` has last read its files. */
export const appViewSchema = z.strictObject({
  id: appIdSchema,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Its configuration file; empty for an app that the user added, whose file only they know. */
  path,
  /** Why that file can't be read, as far as its metadata shows. */
  fault: z.optional(plainErrorSchema),
  /** An editor whose profiles may have their own lists. */
  hasProfiles: z.optional(z.literal(true)),
  /** Ids of the integrations that it uses: its file has their entry, or calls have come. */
  uses: z.array(id).check(z.maxLength(maxAppIntegrations)),
  /** Ids of those that it may use once their entry is in its file. */
  waiting: z.optional(z.array(id).check(z.maxLength(maxAppIntegrations))),
  /** Its access was revoked. */
  isRevoked: z.boolean(),
  /** The user paused it: its requests are refused. */
  isPaused: z.boolean(),
  /** When it last used one of them, in milliseconds since 1970; recorded at most once a minute. */
  lastUsedAt: z.optional(z.int()),
  /** The latest change of its configuration that can be undone. */
  lastChange: z.optional(z.strictObject({ id, at: z.int(), names: z.array(z.string()) })),
});

/** `paste`: the user adds the lines. `none`: the configuration does not change. */
const action = z.enum(['created', 'updated', 'deleted', 'command', 'paste', 'none']);
const appFields = { app: appIdSchema, name: z.string().check(z.minLength(1), z.maxLength(80)) };

/** The tools that the app may use of a server, according to the entry that Postern replaces. */
const rules = z.strictObject({ entry: z.string(), only: z.optional(z.array(z.string())), denied: z.array(z.string()) });
export type ToolRulesView = z.infer<typeof rules>;

/** A preview of a configuration change, without secrets from other entries. */
const appPreviewSchema = z.strictObject({
  ...appFields,
  /** Applies exactly what was shown. Valid while Postern runs. */
  token: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  action,
  path,
  /** Removed lines. */
  before: z.array(z.string()),
  /** Added lines. */
  after: z.array(z.string()),
  /** The app's own commands that will run. */
  commands: z.array(z.string()),
  /** It restores previous content, which is only named. */
  restores: z.boolean(),
  /** What the added lines contain: no secret, a command that prints one, or the secret itself. */
  secret: z.enum(['none', 'helper', 'header']),
  rules: z.optional(z.array(rules)),
  /** The rule that the app gets for the servers' tools. */
  preset: z.optional(z.enum(toolPresets)),
  /** Undoing also reverts the tool rules that came with the change. */
  revertsRules: z.optional(z.literal(true)),
  /** The secret is new because the earlier one is lost: lines that contain that one no longer work. */
  replacesSecret: z.optional(z.literal(true)),
  /** Profiles of an editor with their own lists, besides the default one. */
  profiles: z.optional(z.array(z.strictObject({ id, name: z.string() }))),
  /** Id of the profile that the list belongs to; absent for the default one. */
  editorProfile: z.optional(id),
  notice,
  ...notesForUser,
  /** For `paste`: why Postern does not change the file. */
  fault: z.optional(plainErrorSchema),
});

/** Apps that can't be changed, with the reason. The others still can. */
const refused = z.array(z.strictObject({ ...appFields, error: plainErrorSchema }));

const appPreviewsSchema = z.strictObject({ previews: z.array(appPreviewSchema), refused });

/** The results of the changes, in order. */
const appOutcomesSchema = z.strictObject({
  made: z.array(
    z.strictObject({
      ...appFields,
      action,
      notice,
      ...notesForUser,
      /** For undo; absent if nothing was written. */ change: z.optional(id),
      /** It can use the server after the user has pasted the lines. */
      waits: z.optional(z.literal(true)),
    }),
  ),
  refused,
});

/** The other entries in an app's file: no values, arguments or URL queries. */
const appEntriesSchema = z.strictObject({
  /** Entries, including Postern's, that the app's own setting excludes. */
  excludedBy: z.optional(z.array(z.strictObject({ name: z.string(), setting: z.string() }))),
  entries: z.array(
    z.strictObject({
      /** For `connection:discover` and taking over; valid until another list is read. */
      id,
      name: z.string(),
      /** The project folder that the entry is for. */
      project: z.optional(z.string()),
      kind: z.enum(['remote', 'local']),
      /** For a remote entry. */
      url: z.optional(z.string()),
      /** For a local entry, without its arguments; `local:draft` has them. */
      command: z.optional(z.string()),
      /** Names of its headers and variables. */
      secrets: z.array(z.string()),
      /** Headers that are imported with it. */
      headerNames: z.optional(z.array(z.string())),
      notes: z.array(z.enum(importNotes)),
      /** Id of the integration with the same address or command. */
      connectedAs: z.optional(id),
      /** That integration has no sign-in or key, so it takes over the entry's. */
      lacksCredential: z.optional(z.boolean()),
    }),
  ),
  unreadable: z.optional(z.array(unreadableEntrySchema)),
});

export type AppEntry = z.infer<typeof appEntriesSchema>['entries'][number];
export type AppView = z.infer<typeof appViewSchema>;
export type AppPreview = z.infer<typeof appPreviewSchema>;
export type AppPreviews = z.infer<typeof appPreviewsSchema>;
export type AppOutcomes = z.infer<typeof appOutcomesSchema>;

const inputId = z.string().check(z.minLength(1), z.maxLength(64));
/** Apps in one call. */
const maxApps = 64;
/** Files of all apps, including projects. */
const maxChanges = 500;
const someOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.array(z.strictObject(shape)).check(z.minLength(1), z.maxLength(maxApps));

/** Preview tokens. */
export const changeTokens = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(maxChanges));

const gatewayPort = z.int().check(z.minimum(1_024), z.maximum(65_535));

/** The window's calls about AI apps; part of `ipc-contract.ts`. */
export const appCalls = {
  /**
   * Searches this computer for AI apps, and their files for the entries that Postern has made; the slice `apps` has the
   * result. Errors: CFG_*.
   */
  'app:find': { input: z.strictObject({}), output: z.null() },
  /**
   * Previews what letting apps use integrations, or no longer, would change; one change per app. Reads their files and
   * writes nothing. Errors: those of a single requested app; with several apps they are in `refused`.
   */
  'app:preview': {
    input: z.strictObject({
      changes: someOf({
        app: appIdSchema,
        integrations: z.array(inputId).check(z.minLength(1), z.maxLength(maxAppIntegrations)),
        use: z.boolean(),
        /** The rule for the app's use of the servers' tools; absent: it stays. Set and undone with the entries. */
        preset: z.optional(z.enum(toolPresets)),
        /** Id of an editor's profile from a preview; absent for the default one. */
        editorProfile: z.optional(inputId),
      }),
    }),
    output: appPreviewsSchema,
  },
  /**
   * The lines for an app that Postern does not know, under a name the user chose. `isHttp`: they contain an address,
   * and the copied ones a secret. The preview has the app's id.
   */
  'app:previewOther': {
    input: z.strictObject({ name: appNameSchema(), integration: inputId, isHttp: z.boolean() }),
    output: appPreviewsSchema,
  },
  /** Previews undoing changes. Errors: as in `app:preview`. */
  'app:previewUndo': {
    input: z.strictObject({ changes: someOf({ app: appIdSchema, change: inputId }) }),
    output: appPreviewsSchema,
  },
  /** Reads the other entries in an app's file. Header values stay in main under the entry's id. */
  'app:readEntries': { input: z.strictObject({ app: appIdSchema }), output: appEntriesSchema },
  /** Counts servers in apps' files that are not in the list, each once; `apps` has those with any. Unreadable files are skipped. */
  'app:countServers': {
    input: z.strictObject({ apps: z.array(appIdSchema).check(z.maxLength(maxApps)) }),
    output: z.strictObject({ servers: z.int(), apps: z.array(appIdSchema) }),
  },
  /** Previews replacing an entry with Postern, under the same name. Its address must be connected. */
  'app:previewTakeOver': { input: z.strictObject({ entry: inputId }), output: appPreviewsSchema },
  /** Previews removing the entries that would stop working when a server, everything, or an app's access is removed. */
  'app:previewLeaving': {
    input: z.union([
      z.strictObject({ integrations: z.array(inputId).check(z.minLength(1), z.maxLength(maxServersAtOnce)) }),
      z.strictObject({ app: appIdSchema }),
      z.strictObject({ everything: z.literal(true) }),
    ]),
    output: appPreviewsSchema,
  },
  /** Entries with another port: `changePort` updates them to this one. */
  'app:previewPort': { input: z.strictObject({ port: gatewayPort }), output: appPreviewsSchema },
  /**
   * Sets the port for apps over HTTP: stores it, then updates the entries of these preview tokens. Errors: CFG_*, in
   * which case no file was changed.
   */
  'app:changePort': {
    input: z.strictObject({ port: gatewayPort, tokens: changeTokens }),
    output: appOutcomesSchema,
  },
  /** Tries again to open the port for apps; the slice `desktop` has the reason if that fails. */
  'app:openPort': { input: z.strictObject({}), output: z.strictObject({ isOpen: z.boolean() }) },
  /** Applies the latest previews by their tokens, each once. Errors: as in `app:preview`. */
  'app:change': {
    input: z.strictObject({ tokens: changeTokens.check(z.minLength(1)) }),
    output: appOutcomesSchema,
  },
  /** Copies the lines that the user pastes, by the token of a preview or of the resulting error. */
  'app:copyLines': { input: z.strictObject({ token: z.string().check(z.maxLength(64)) }), output: z.null() },
  /**
   * The user has pasted lines: reads the app's file and returns the servers without an entry. For an app without a
   * known file, the user's word counts. Errors: APP_NOT_FOUND, CFG_*.
   */
  'app:pasted': {
    input: z.strictObject({ app: appIdSchema }),
    output: z.strictObject({ missing: z.array(inputId) }),
  },
  /** The icon that the system has for the app, a PNG in base64; `null`: none was found. */
  'app:icon': {
    input: z.strictObject({ app: appIdSchema }),
    output: z.strictObject({ data: z.nullable(z.string().check(z.maxLength(4 * Math.ceil(appIconBytes / 3)))) }),
  },
  /** Pauses or resumes the app. */
  'app:pause': { input: z.strictObject({ app: appIdSchema, paused: z.boolean() }), output: z.null() },
  /** Main asks the user; `null`: they declined. */
  'app:revoke': {
    input: z.strictObject({ app: appIdSchema }),
    output: z.nullable(
      z.strictObject({
        revoked: z.array(z.strictObject({ id: z.string(), app: appIdSchema, name: z.string() })),
      }),
    ),
  },
} as const;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const changedPath = z.string().check(z.minLength(1), z.maxLength(4_096));

/** The record of one configuration change, stored beside the backup of the file. */
export const appChangeSchema = z.strictObject({
  id: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
  /** Milliseconds since 1970. */
  at: z.int(),
  app: appIdSchema,
  path: changedPath,
  /** The folder the user named, if the file belongs to a project. */
  project: z.optional(changedPath),
  /** Id of the editor's profile that the file belongs to. */
  editorProfile: z.optional(z.string().check(z.maxLength(64))),
  action: z.enum(['created', 'updated', 'deleted', 'command']),
  /** Names of the added, changed and removed entries. */
  names: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(maxAppIntegrations)),
  /** The port in their Postern addresses. */
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  /** How much was created: an entry, the list, or the whole file. */
  made: z.enum(['entry', 'list', 'all']),
  /** Hex SHA-256 of the file before and after; absent if it did not exist. */
  before: z.optional(hash),
  after: z.optional(hash),
  /** The topmost folder that was created for the file. */
  folder: z.optional(changedPath),
  /** Tool rules that came with it, by server id. */
  rules: z.optional(
    z
      .array(z.strictObject({ integration: z.string(), before: permissionLevel, after: permissionLevel }))
      .check(z.maxLength(maxAppIntegrations)),
  ),
  undoneAt: z.optional(z.int()),
});

export type AppChange = z.infer<typeof appChangeSchema>;

const members = z.array(inputId).check(z.maxLength(maxCollectionMembers));

/** A collection as a window shows it. */
export const collectionViewSchema = z.strictObject({
  /** Its reference wherever a server id can appear (`+work`). */
  id: inputId,
  /** Its display name. */
  name: collectionTitleSchema(),
  /** Ids of its existing servers. */
  members,
});

export type CollectionView = z.infer<typeof collectionViewSchema>;

/** As typed; saving it decides on the final title. */
const typedTitle = z.string().check(z.minLength(1), z.maxLength(80));

/** The window's calls about collections; part of `ipc-contract.ts`. */
export const collectionCalls = {
  /**
   * Creates or changes a collection; absent members stay. Errors: NAME_INVALID, NAME_TAKEN, NOT_FOUND,
   * COLLECTIONS_FULL.
   */
  'collection:save': {
    input: z.union([
      z.strictObject({ id: z.optional(z.undefined()), name: typedTitle, members }),
      z.strictObject({ id: inputId, name: z.optional(typedTitle), members: z.optional(members) }),
    ]),
    output: collectionSchema(),
  },
  /** Can be undone like a removal of servers. `entries`: as in `integration:remove`. */
  'collection:remove': { input: z.strictObject({ id: inputId, entries: z.optional(changeTokens) }), output: z.null() },
} as const;

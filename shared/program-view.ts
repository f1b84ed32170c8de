import * as z from 'zod/mini';
import { mostAtOnce } from './bounds.ts';
import { collectionSchema, collectionTitleSchema } from './collection.ts';
import { mostMembers } from './entry-name.ts';
import { toolPermissionsSchema } from './integration.ts';
import { unreadEntrySchema } from './list-calls.ts';
import { importNotes } from './pasted/read-pasted.ts';
import { plainErrorSchema } from './plain-error.ts';
import { mostProgramIntegrations, programIdSchema, programNameSchema } from './program-record.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const path = z.string().check(z.maxLength(4_096));
/** Rules of one server for one app. */
const permissionLevel = z.pick(toolPermissionsSchema, { preset: true, without: true, rules: true });
/** When a program notices a change of its configuration. */
const notice = z.enum(['at-once', 'button', 'new-session', 'restart']);
/**
 * What is peculiar about a program that gets an entry: it asks whether the server is trusted; it uses the servers of a
 * person in folders that it trusts alone; the ChatGPT program has the same configuration.
 */
export const programNotes = ['asks-for-trust', 'trusted-folders', 'chatgpt-too'] as const;
export type ProgramNote = (typeof programNotes)[number];
const note = z.optional(z.enum(programNotes));
const remarks = {
  note,
  /** The setting of the app by which it leaves the entry out. */
  keptOut: z.optional(z.string()),
  /** The byte order mark of its file is taken out too. */
  takesMark: z.optional(z.literal(true)),
};

/** An AI program on this computer, as a window shows it. Nothing of it was read. */
export const programViewSchema = z.strictObject({
  id: programIdSchema,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Where it keeps its servers; empty where only the person knows, who has added it. */
  path,
  /** Why that would not be read, as far as that shows without a look inside. */
  fault: z.optional(plainErrorSchema),
  /** An editor whose profiles may have lists of their own. */
  hasProfiles: z.optional(z.literal(true)),
  /** Ids of the integrations that it may use, but for those in `waiting`. */
  uses: z.array(id).check(z.maxLength(mostProgramIntegrations)),
  /** Ids of those that it may use once the user has pasted their lines. */
  waiting: z.optional(z.array(id).check(z.maxLength(mostProgramIntegrations))),
  /** It was allowed once, and is not any more. */
  isRevoked: z.boolean(),
  /** The person has paused it: what it asks for is refused. */
  isPaused: z.boolean(),
  /** When it last used one of them, milliseconds since 1970; noted at most once a minute. */
  lastUsedAt: z.optional(z.int()),
  /** The newest change of its configuration that can be taken back. */
  lastChange: z.optional(z.strictObject({ id, at: z.int(), names: z.array(z.string()) })),
});

/** `paste`: a person puts the lines there. `none`: nothing of the configuration changes. */
const action = z.enum(['created', 'updated', 'deleted', 'command', 'paste', 'none']);
const which = { program: programIdSchema, name: z.string().check(z.minLength(1), z.maxLength(80)) };

/** Which tools the program may use of a server, as the entry says that Postern takes the place of. */
const rules = z.strictObject({ entry: z.string(), only: z.optional(z.array(z.string())), denied: z.array(z.string()) });
export type ToolRulesView = z.infer<typeof rules>;

/** A change of a program's configuration before it is made: of others' entries no secret. */
const programPreviewSchema = z.strictObject({
  ...which,
  /** For making it: of what was shown, and nothing else. It holds as long as Postern runs. */
  token: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  action,
  path,
  /** Lines that go. */
  before: z.array(z.string()),
  /** Lines that come. */
  after: z.array(z.string()),
  /** The program's own commands that are run. */
  commands: z.array(z.string()),
  /** It brings back what stood there, which is named alone. */
  restores: z.boolean(),
  /** What stands in the lines that come: no secret, a command that prints one, or the secret itself. */
  secret: z.enum(['none', 'helper', 'header']),
  rules: z.optional(z.array(rules)),
  /** Rules for tools go, which came with what it takes back. */
  endsRules: z.optional(z.literal(true)),
  /** It is a new one, since the earlier one is lost: lines that hold that are useless. */
  endsSecret: z.optional(z.literal(true)),
  /** Of an editor whose profiles have lists of their own, beside the default one. */
  profiles: z.optional(z.array(z.strictObject({ id, name: z.string() }))),
  /** Id of the profile whose list it is; absent for the default one. */
  editorProfile: z.optional(id),
  notice,
  ...remarks,
  /** Of `paste`: why the file is left alone. */
  fault: z.optional(plainErrorSchema),
});

/** Programs that cannot be changed, and why; the others can be all the same. */
const refused = z.array(z.strictObject({ ...which, error: plainErrorSchema }));

const programPreviewsSchema = z.strictObject({ previews: z.array(programPreviewSchema), refused });

/** What became of changes, in the order in which they were made. */
const programOutcomesSchema = z.strictObject({
  made: z.array(
    z.strictObject({
      ...which,
      action,
      notice,
      ...remarks,
      /** For undo; absent where nothing was written. */ change: z.optional(id),
      /** It uses the server once the user has pasted the lines. */
      waits: z.optional(z.literal(true)),
    }),
  ),
  refused,
});

/** What stands in a program's file beside the entries of Postern: no value, no argument, no query of an address. */
const programEntriesSchema = z.strictObject({
  /** Those of its entries, of Postern too, that a setting of the program leaves out. */
  keptOut: z.optional(z.array(z.strictObject({ name: z.string(), setting: z.string() }))),
  entries: z.array(
    z.strictObject({
      /** For `connection:discover` and taking over; it holds until another list is looked at. */
      id,
      name: z.string(),
      /** Folder of the project that the app has it for. */
      project: z.optional(z.string()),
      kind: z.enum(['remote', 'local']),
      /** Of a remote one. */
      url: z.optional(z.string()),
      /** Of a local one, without its arguments; `local:draft` has them. */
      command: z.optional(z.string()),
      /** Names of its headers and variables. */
      secrets: z.array(z.string()),
      /** The headers that are imported with it. */
      headerNames: z.optional(z.array(z.string())),
      notes: z.array(z.enum(importNotes)),
      /** Id of the integration with the same address or command. */
      connectedAs: z.optional(id),
      /** Of that one: it has no sign-in and no key, so that it takes over the entry's. */
      lacksCredential: z.optional(z.boolean()),
    }),
  ),
  unread: z.optional(z.array(unreadEntrySchema)),
});

export type ProgramEntry = z.infer<typeof programEntriesSchema>['entries'][number];
export type ProgramView = z.infer<typeof programViewSchema>;
export type ProgramPreview = z.infer<typeof programPreviewSchema>;
export type ProgramPreviews = z.infer<typeof programPreviewsSchema>;
export type ProgramOutcomes = z.infer<typeof programOutcomesSchema>;

const inputId = z.string().check(z.minLength(1), z.maxLength(64));
/** At once. */
const mostPrograms = 64;
/** Files of all programs, those of projects too. */
const mostChanges = 500;
const several = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.array(z.strictObject(shape)).check(z.minLength(1), z.maxLength(mostPrograms));

/** Of previews. */
export const changeTokens = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(mostChanges));

const gatewayPort = z.int().check(z.minimum(1_024), z.maximum(65_535));

/** What a window may ask of main about AI programs; a part of `ipc-contract.ts`. */
export const programCalls = {
  /** Looks again which programs are on this computer; they stand in the slice `programs`. */
  'program:find': { input: z.strictObject({}), output: z.null() },
  /**
   * What it takes to let programs use integrations, or not any more: all of one program in one change. Their files are read, and nothing is written.
   * Errors: of one program that was asked for alone; of several they stand in `refused`.
   */
  'program:preview': {
    input: z.strictObject({
      changes: several({
        program: programIdSchema,
        integrations: z.array(inputId).check(z.minLength(1), z.maxLength(mostProgramIntegrations)),
        use: z.boolean(),
        /** Id of a profile of an editor, as a preview names it; left out, the default one. */
        editorProfile: z.optional(inputId),
      }),
    }),
    output: programPreviewsSchema,
  },
  /**
   * The lines for a program that Postern does not know, by a name of the person's. `isHttp`: they hold an address, and
   * the copied ones a secret. Its id is the preview's.
   */
  'program:previewOther': {
    input: z.strictObject({ name: programNameSchema, integration: inputId, isHttp: z.boolean() }),
    output: programPreviewsSchema,
  },
  /** What it takes to take changes back. Errors: as of `preview`. */
  'program:previewUndo': {
    input: z.strictObject({ changes: several({ program: programIdSchema, change: inputId }) }),
    output: programPreviewsSchema,
  },
  /** What else stands in the file of a program, which is read. Values of headers stay in main under the entry's id. */
  'program:look': { input: z.strictObject({ program: programIdSchema }), output: programEntriesSchema },
  /** What it takes to put Postern into the place of an entry whose address is connected, under the same name. */
  'program:previewTakeOver': { input: z.strictObject({ entry: inputId }), output: programPreviewsSchema },
  /**
   * Entries that would lead nowhere once a server, everything, or what a program may use is gone; they are taken out.
   */
  'program:previewLeaving': {
    input: z.union([
      z.strictObject({ integrations: z.array(inputId).check(z.minLength(1), z.maxLength(mostAtOnce)) }),
      z.strictObject({ program: programIdSchema }),
      z.strictObject({ everything: z.literal(true) }),
    ]),
    output: programPreviewsSchema,
  },
  /** Entries that hold the address of another port: `changePort` renews them for this one. */
  'program:previewPort': { input: z.strictObject({ port: gatewayPort }), output: programPreviewsSchema },
  /**
   * The port of programs over HTTP: it is stored, and then the entries are renewed that were shown, by their tokens.
   * Errors: CFG_*, and then no file was changed.
   */
  'program:changePort': {
    input: z.strictObject({ port: gatewayPort, tokens: changeTokens }),
    output: programOutcomesSchema,
  },
  /** Tries again to open the port that programs hold; why it could not is in the slice `app`. */
  'program:openPort': { input: z.strictObject({}), output: z.strictObject({ isOpen: z.boolean() }) },
  /** Makes what was shown last, each once, by the tokens of the previews. Errors: as of `preview`. */
  'program:change': {
    input: z.strictObject({ tokens: changeTokens.check(z.minLength(1)) }),
    output: programOutcomesSchema,
  },
  /** Lines that a person pastes, to the clipboard: by the token of a preview, or of the error that came of it. */
  'program:copyLines': { input: z.strictObject({ token: z.string().check(z.maxLength(64)) }), output: z.null() },
  /**
   * The user has pasted lines: reads the program's file, and answers the servers whose entry is not there. Of a
   * program without a known file the user's word counts. Errors: PROGRAM_NOT_FOUND, CFG_*.
   */
  'program:pasted': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.strictObject({ missing: z.array(inputId) }),
  },
  /** Refuses whatever it asks for, or no more. */
  'program:pause': { input: z.strictObject({ program: programIdSchema, paused: z.boolean() }), output: z.null() },
  /** Main asks the person; `null`: they said no. */
  'program:revoke': {
    input: z.strictObject({ program: programIdSchema }),
    output: z.nullable(
      z.strictObject({
        revoked: z.array(z.strictObject({ id: z.string(), program: programIdSchema, name: z.string() })),
      }),
    ),
  },
} as const;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const changedPath = z.string().check(z.minLength(1), z.maxLength(4_096));

/** One change of a program's configuration, as it is noted beside the copy of what stood there before. */
export const programChangeSchema = z.strictObject({
  id: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
  /** Milliseconds since 1970. */
  at: z.int(),
  program: programIdSchema,
  path: changedPath,
  /** The folder that a person named, where the file is a project's. */
  project: z.optional(changedPath),
  /** Id of the profile of an editor that the file belongs to. */
  editorProfile: z.optional(z.string().check(z.maxLength(64))),
  action: z.enum(['created', 'updated', 'deleted', 'command']),
  /** Names of the entries that came, changed or went. */
  names: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(mostProgramIntegrations)),
  /** Of the addresses of Postern in them. */
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  /** What had to be made besides an entry. */
  made: z.enum(['entry', 'list', 'all']),
  /** SHA-256 in hexadecimal of the file before and after; absent where there was, or is, none. */
  before: z.optional(hash),
  after: z.optional(hash),
  /** The topmost folder that was made for the file. */
  folder: z.optional(changedPath),
  /** Rules for tools that came with it, by the id of a server. */
  rules: z.optional(
    z
      .array(z.strictObject({ integration: z.string(), before: permissionLevel, after: permissionLevel }))
      .check(z.maxLength(mostProgramIntegrations)),
  ),
  undoneAt: z.optional(z.int()),
});

export type ProgramChange = z.infer<typeof programChangeSchema>;

const members = z.array(inputId).check(z.maxLength(mostMembers));

/** A collection as a window shows it. */
export const collectionViewSchema = z.strictObject({
  /** What stands for it where a server may stand too (`+work`). */
  id: inputId,
  /** What people call it. */
  name: collectionTitleSchema,
  /** Ids of the servers that are there. */
  members,
});

export type CollectionView = z.infer<typeof collectionViewSchema>;

/** As typed: what of it is a title, whoever saves it decides. */
const typedTitle = z.string().check(z.minLength(1), z.maxLength(80));

/** What a window may do about collections; a part of `ipc-contract.ts`. */
export const collectionCalls = {
  /** A new one, or a change of one, of which the rest stays. Errors: NAME_INVALID, NAME_TAKEN, NOT_FOUND, COLLECTIONS_FULL. */
  'collection:save': {
    input: z.union([
      z.strictObject({ id: z.optional(z.undefined()), name: typedTitle, members }),
      z.strictObject({ id: inputId, name: z.optional(typedTitle), members: z.optional(members) }),
    ]),
    output: collectionSchema,
  },
  /** It can be undone as a removal of servers can. `entries`: as of `integration:remove`. */
  'collection:remove': { input: z.strictObject({ id: inputId, entries: z.optional(changeTokens) }), output: z.null() },
} as const;

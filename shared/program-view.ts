import * as z from 'zod';
import { importNotes, unreadEntrySchema } from './import-note.ts';
import { plainErrorSchema } from './plain-error.ts';
import { mostProgramIntegrations, programIdSchema } from './program-record.ts';

const id = z.string().min(1).max(64);
const path = z.string().max(4_096);
/** When a program notices a change of its configuration. */
const notice = z.enum(['at-once', 'button', 'new-session', 'restart']);
/**
 * What is peculiar about a program that gets an entry: it asks whether the server is trusted; it uses the servers of a
 * person in folders that it trusts alone; the ChatGPT program has the same configuration.
 */
export const programNotes = ['asks-for-trust', 'trusted-folders', 'chatgpt-too'] as const;
export type ProgramNote = (typeof programNotes)[number];
const note = z.enum(programNotes).optional();
const remarks = {
  note,
  /** The setting of the app by which it leaves the entry out. */
  keptOut: z.string().optional(),
  /** The byte order mark of its file is taken out too. */
  takesMark: z.literal(true).optional(),
};

/** An AI program on this computer, as a window shows it. Nothing of it was read. */
export const programViewSchema = z.strictObject({
  id: programIdSchema,
  name: z.string().min(1).max(80),
  /** Where it keeps its servers; empty where only the person knows, who has added it. */
  path,
  /** Why that would not be read, as far as that shows without a look inside. */
  fault: plainErrorSchema.optional(),
  /** An editor whose profiles may have lists of their own. */
  hasProfiles: z.literal(true).optional(),
  /** Ids of the integrations that it may use, but for those in `waiting`. */
  uses: z.array(id).max(mostProgramIntegrations),
  /** Ids of those that it may use once the user has pasted their lines. */
  waiting: z.array(id).max(mostProgramIntegrations).optional(),
  /** It was allowed once, and is not any more. */
  isRevoked: z.boolean(),
  /** The person has paused it: what it asks for is refused. */
  isPaused: z.boolean(),
  /** When it last used one of them, milliseconds since 1970; noted at most once a minute. */
  lastUsedAt: z.number().int().optional(),
  /** The newest change of its configuration that can be taken back. */
  lastChange: z.strictObject({ id, at: z.number().int(), names: z.array(z.string()) }).optional(),
});

/** `paste`: a person puts the lines there. `none`: nothing of the configuration changes. */
const action = z.enum(['created', 'updated', 'deleted', 'command', 'paste', 'none']);
const which = { program: programIdSchema, name: z.string().min(1).max(80) };

/** A change of a program's configuration before it is made: of others' entries no secret. */
export const programPreviewSchema = z.strictObject({
  ...which,
  /** For making it: of what was shown, and nothing else. It holds as long as Postern runs. */
  token: z.string().regex(/^[0-9a-f]{64}$/),
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
  /** It is a new one, since the earlier one is lost: lines that hold that are useless. */
  endsSecret: z.literal(true).optional(),
  /** Of an editor whose profiles have lists of their own, beside the default one. */
  profiles: z.array(z.strictObject({ id, name: z.string() })).optional(),
  /** Id of the profile whose list it is; absent for the default one. */
  editorProfile: id.optional(),
  notice,
  ...remarks,
  /** Of `paste`: why the file is left alone. */
  fault: plainErrorSchema.optional(),
});

/** Programs that cannot be changed, and why; the others can be all the same. */
const refused = z.array(z.strictObject({ ...which, error: plainErrorSchema }));

export const programPreviewsSchema = z.strictObject({ previews: z.array(programPreviewSchema), refused });

/** What became of changes, in the order in which they were made. */
export const programOutcomesSchema = z.strictObject({
  made: z.array(
    z.strictObject({
      ...which,
      action,
      notice,
      ...remarks,
      /** For undo; absent where nothing was written. */ change: id.optional(),
      /** It uses the server once the user has pasted the lines. */
      waits: z.literal(true).optional(),
    }),
  ),
  refused,
});

/** What stands in a program's file beside the entries of Postern: no value, no argument, no query of an address. */
export const programEntriesSchema = z.strictObject({
  entries: z.array(
    z.strictObject({
      /** For `connection:discover` and taking over; it holds until another list is looked at. */
      id,
      name: z.string(),
      /** Folder of the project that the app has it for. */
      project: z.string().optional(),
      kind: z.enum(['remote', 'local']),
      /** Of a remote one. */
      url: z.string().optional(),
      /** Of a local one, without its arguments; `local:draft` has them. */
      command: z.string().optional(),
      /** Names of its headers and variables. */
      secrets: z.array(z.string()),
      /** The headers that are imported with it. */
      headerNames: z.array(z.string()).optional(),
      notes: z.array(z.enum(importNotes)),
      /** Id of the integration with the same address or command. */
      connectedAs: id.optional(),
      /** Of that one: it has no sign-in and no key, so that it takes over the entry's. */
      lacksCredential: z.boolean().optional(),
    }),
  ),
  unread: z.array(unreadEntrySchema).optional(),
});

export type ProgramEntry = z.infer<typeof programEntriesSchema>['entries'][number];
export type ProgramView = z.infer<typeof programViewSchema>;
export type ProgramPreview = z.infer<typeof programPreviewSchema>;
export type ProgramPreviews = z.infer<typeof programPreviewsSchema>;
export type ProgramOutcomes = z.infer<typeof programOutcomesSchema>;

import * as z from 'zod';
import { programIdSchema } from '../../../shared/program-record.ts';
import { programNotes } from '../../../shared/program-view.ts';

/** Systems whose files are known. */
const systems = ['darwin', 'win32', 'linux'] as const;
export type System = (typeof systems)[number];

/**
 * A path: `~` is the home folder, `{NAME|other}` the folder that the variable NAME names, else `other`, and `*` any
 * part of one name. Slashes on every system.
 */
const path = z.string().regex(/^(~|\{[A-Z_]+\|~[^{}|]*\})\/[^~{}|\\]+$/);

const placeSchema = z.strictObject({
  path,
  /** When it is the one that counts: it is there itself (`file`), or its folder is. */
  counts: z.enum(['file', 'folder']),
});

/**
 * What an entry looks like, members in order. Stand for what they name: `{name}`, `{command}`, `{args}`, `{words}`
 * (command and arguments in one list), `{url}`, `{headers}`, `{helper}` (a command line that prints headers).
 */
const shape = z.record(z.string(), z.json());

const commandSchema = z.strictObject({
  /** Looked for in PATH, then in `places`. */
  name: z.string().regex(/^[a-z]+$/),
  places: z.array(path),
  /** Arguments; `{name}` and `{entry}` (the entry as JSON) stand for themselves. */
  add: z.array(z.string()),
  remove: z.array(z.string()),
});

/** One AI program as the table has it: where its configuration is and how an entry stands in it. Data only. */
export const programSchema = z.strictObject({
  id: programIdSchema,
  name: z.string().min(1).max(80),
  /** Of the person; the first that counts is used, and the last made where none does. */
  files: z.record(z.enum(systems), z.array(placeSchema)),
  /** That it is installed: one of these is there. Left out: the folder of one of its files. */
  foundBy: z.array(path).optional(),
  /** Of a project, from its folder; the first that is there is used, and the last made where none is. */
  projectFiles: z.array(z.string()).min(1).optional(),
  /** Profiles of it may each have a list of their own, beside the file of the person. */
  hasProfiles: z.literal(true).optional(),
  /** `json` is as JSON.parse reads it, `jsonc` has comments. */
  format: z.enum(['json', 'jsonc', 'toml', 'yaml-map', 'yaml-list']),
  /** The member at the top that holds the entries. */
  list: z.string().min(1),
  /** It reads a comma after the last member. */
  trailingCommas: z.boolean(),
  stdio: shape,
  /** Absent: it takes no address. */
  http: shape.optional(),
  /** What it makes of a name: one that does not fit is refused. */
  nameRule: z.enum(['any', 'no-underscore']),
  /** Used instead of writing its file. */
  command: commandSchema.optional(),
  /** Where no file of it is there: `paste` when only the program knows where it would look. */
  whenAbsent: z.enum(['make', 'paste']),
  /** When it notices a change. */
  notice: z.enum(['at-once', 'button', 'new-session', 'restart']),
  /**
   * Settings of its own by which it leaves servers out: those that a list does not name, those that it names, those
   * whose tools are switched off, or all.
   */
  gates: z
    .array(
      z.strictObject({
        /** From the folder of its file; left out: in that file. */
        file: z.string().optional(),
        member: z.string(),
        keepsOut: z.enum(['others', 'named', 'tools', 'all']),
      }),
    )
    .optional(),
  /** What a person has to know of it besides. */
  note: z.enum(programNotes).optional(),
  /** What all of this is known from. */
  provenBy: z.string().min(1),
});

export type Program = z.infer<typeof programSchema>;
export type Shape = z.infer<typeof shape>;

import * as z from 'zod/mini';
import { isOtherProgram, programIdSchema } from '../../../shared/program-record.ts';
import { programNotes } from '../../../shared/program-view.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { ProgramFile, ProgramFiles } from '../../program-ports.ts';

/** Systems whose files are known. */
const systems = ['darwin', 'win32', 'linux'] as const;
export type System = (typeof systems)[number];

/**
 * A path: `~` is the home folder, `{NAME|other}` the folder that the variable NAME names, else `other`, and `*` any
 * part of one name. Slashes on every system.
 */
const pathSchema = z.string().check(z.regex(/^(~|\{[A-Z_]+\|~[^{}|]*\})\/[^~{}|\\]+$/));

const placeSchema = z.strictObject({
  path: pathSchema,
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
  name: z.string().check(z.regex(/^[a-z]+$/)),
  places: z.array(pathSchema),
  /** Arguments; `{name}` and `{entry}` (the entry as JSON) stand for themselves. */
  add: z.array(z.string()),
  remove: z.array(z.string()),
});

/** One AI program as the table has it: where its configuration is and how an entry stands in it. Data only. */
export const programSchema = z.strictObject({
  id: programIdSchema,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Of the person; the first that counts is used, and the last made where none does. */
  files: z.record(z.enum(systems), z.array(placeSchema)),
  /** That it is installed: one of these is there. Left out: the folder of one of its files. */
  foundBy: z.optional(z.array(pathSchema)),
  /** Of a project, from its folder; the first that is there is used, and the last made where none is. */
  projectFiles: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** Profiles of it may each have a list of their own, beside the file of the person. */
  hasProfiles: z.optional(z.literal(true)),
  /** `json` is as JSON.parse reads it, `jsonc` has comments. */
  format: z.enum(['json', 'jsonc', 'toml', 'yaml-map', 'yaml-list']),
  /** The member at the top that holds the entries. */
  list: z.string().check(z.minLength(1)),
  /** It reads a comma after the last member. */
  trailingCommas: z.boolean(),
  stdio: shape,
  /** Absent: it takes no address. */
  http: z.optional(shape),
  /** What it makes of a name: one that does not fit is refused. */
  nameRule: z.enum(['any', 'no-underscore']),
  /** Used instead of writing its file. */
  command: z.optional(commandSchema),
  /** Where no file of it is there: `paste` when only the program knows where it would look. */
  whenAbsent: z.enum(['make', 'paste']),
  /** When it notices a change. */
  notice: z.enum(['at-once', 'button', 'new-session', 'restart']),
  /**
   * Settings of its own by which it leaves servers out: those that a list does not name (`others-if-any`: unless it is
   * empty), those that it names, those that are switched off by name, those whose tools are, or all.
   */
  gates: z.optional(
    z.array(
      z.strictObject({
        /** From the folder of its file; left out: in that file. */
        file: z.optional(z.string()),
        /** Empty: all of the file. */
        member: z.string(),
        keepsOut: z.enum(['others', 'others-if-any', 'named', 'switched', 'tools', 'all']),
        /** Of lists of projects alone. */
        ofProjects: z.optional(z.literal(true)),
      }),
    ),
  ),
  /** What a person has to know of it besides. */
  note: z.optional(z.enum(programNotes)),
  /** What all of this is known from. */
  provenBy: z.string().check(z.minLength(1)),
});

export type Program = z.infer<typeof programSchema>;
export type Shape = z.infer<typeof shape>;

/** Where a program keeps its servers on this computer. Nothing of it has been read. */
export interface LocatedProgram {
  readonly program: Program;
  /** It is installed, as far as its folders tell. */
  readonly found: boolean;
  /** The file that it reads, or will read once it is there; without a path where only the person knows it. */
  readonly file: ProgramFile;
  /** Every place, the one it reads first. */
  readonly places: readonly { readonly path: string; readonly isThere: boolean }[];
}

export async function locateProgram(
  program: Program,
  files: Pick<ProgramFiles, 'find'>,
  surroundings: Surroundings,
): Promise<LocatedProgram> {
  const places = await Promise.all(
    program.files[surroundings.system].map(async ({ path: template, counts }) => {
      const path = pathHere(template, surroundings);
      const [itself, folder] = await Promise.all([files.find(path), files.find(folderOf(path))]);
      const named = folder ? `${folder.path}${path.slice(folderOf(path).length)}` : path;
      const isHere = counts === 'folder' ? folder !== undefined : itself !== undefined;
      return { path: itself?.path ?? named, isThere: itself !== undefined, hasFolder: folder !== undefined, isHere };
    }),
  );
  // One that a person has added: only they know where.
  if (isOtherProgram(program.id)) return { program, found: true, file: { path: '' }, places };
  const used = places.find(({ isHere }) => isHere) ?? places.at(-1);
  if (!used) throw new RangeError(`no file of ${program.id}`);
  const signs = (program.foundBy ?? []).map((template) => files.find(pathHere(template, surroundings)));
  const found = program.foundBy
    ? (await Promise.all(signs)).some((sign) => sign !== undefined)
    : places.some(({ hasFolder }) => hasFolder);
  return {
    program,
    found,
    file: { path: used.path },
    places: [used, ...places.filter((place) => place !== used && place.isThere)].map(({ path, isThere }) => ({
      path,
      isThere,
    })),
  };
}

/** Why its file cannot be read, as far as that shows without reading it. */
export async function faultAtAGlance(
  files: Pick<ProgramFiles, 'faultAtAGlance'>,
  { file, places }: Pick<LocatedProgram, 'file' | 'places'>,
): Promise<PosternError | undefined> {
  return places[0]?.isThere === true ? await files.faultAtAGlance(file) : undefined;
}

/** Where programs of this person and system keep their files. */
export interface Surroundings {
  readonly system: System;
  /** Absolute. */
  readonly home: string;
  /** A variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** A path of the table on this computer, absolute; a `*` in it stays. */
export function pathHere(template: string, { system, home, variable }: Surroundings): string {
  const moved = template.replace(/^\{([A-Z_]+)\|([^}]*)\}/, (_all, name: string, otherwise: string) => {
    const value = variable(name);
    // A relative one is of no use (XDG base directory specification), and would be another place in each folder.
    return value !== undefined && /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(value) ? value.replace(/[\\/]+$/, '') : otherwise;
  });
  const path = moved.replace(/^~/, () => home);
  return system === 'win32' ? path.replaceAll('/', '\\') : path;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}

/** What most programs take. */
export const commandAndArgs: Shape = { command: '{command}', args: '{args}' };
export const urlAndHeaders: Shape = { url: '{url}', headers: '{headers}' };

/** Of Qwen Code, to which an empty list allows none; the second two are of earlier versions. Names have no wildcards. */
export const qwenGates: NonNullable<Program['gates']> = [
  { member: 'mcp.allowed', keepsOut: 'others' },
  { member: 'mcp.excluded', keepsOut: 'named' },
  { member: 'allowMCPServers', keepsOut: 'others' },
  { member: 'excludeMCPServers', keepsOut: 'named' },
  { member: 'admin.mcp.enabled', keepsOut: 'all' },
];

/** Of Gemini CLI, which it was made from: an empty list allows all, and `/mcp disable` has a file of its own. */
export const geminiGates: Program['gates'] = [
  ...qwenGates.map((gate) => (gate.keepsOut === 'others' ? { ...gate, keepsOut: 'others-if-any' as const } : gate)),
  { file: 'mcp-server-enablement.json', member: '', keepsOut: 'switched' },
];

const claudeMembers = [
  { member: 'deniedMcpServers', keepsOut: 'named' },
  { member: 'allowedMcpServers', keepsOut: 'others' },
  { member: 'disabledMcpServers', keepsOut: 'named' },
  // Of `.mcp.json` in the folder of a project.
  { member: 'disabledMcpjsonServers', keepsOut: 'named', ofProjects: true },
] as const;

/** Of Claude Code, in the files of its settings. */
export const claudeGates: Program['gates'] = ['.claude/settings.json', '.claude/settings.local.json'].flatMap(
  (settings) => claudeMembers.map((gate) => ({ file: settings, ...gate })),
);

/** Of VS Code, in its settings. */
export const codeGates: Program['gates'] = [
  { file: 'settings.json', member: 'chat.mcp.enabled', keepsOut: 'all' },
  { file: 'settings.json', member: 'chat.mcp.access', keepsOut: 'all' },
];

/** The same place on every system. */
export function everywhere(path: string): Program['files'] {
  return { darwin: [programFile(path)], win32: [programFile(path)], linux: [programFile(path)] };
}

/** Places by system, one each. */
export function bySystem(paths: Readonly<Record<System, string>>): Program['files'] {
  return { darwin: [programFile(paths.darwin)], win32: [programFile(paths.win32)], linux: [programFile(paths.linux)] };
}

/** A place in the folder of an editor of the family of VS Code. */
export function inCodeFolder(editor: string, path: string): Program['files'] {
  return bySystem({
    darwin: `~/Library/Application Support/${editor}/User/${path}`,
    win32: `{APPDATA|~/AppData/Roaming}/${editor}/User/${path}`,
    linux: `{XDG_CONFIG_HOME|~/.config}/${editor}/User/${path}`,
  });
}

function programFile(path: string): Program['files'][System][number] {
  return { path, counts: 'file' };
}

import * as z from 'zod/mini';
import { isOtherApp, appIdSchema } from '../../../shared/app-record.ts';
import { appNotes } from '../../../shared/app-view.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { AppFile, AppFiles } from '../../app-ports.ts';

const systems = ['darwin', 'win32', 'linux'] as const;
export type System = (typeof systems)[number];

/**
 * A path template: `~` is the home folder, `{NAME|other}` is the value of the variable NAME or else `other`, and `*`
 * matches part of one name. Always with forward slashes.
 */
const pathSchema = z.string().check(z.regex(/^(~|\{[A-Z_]+\|~[^{}|]*\})\/[^~{}|\\]+$/));

const placeSchema = z.strictObject({
  path: pathSchema,
  /** The app uses it if the file exists (`file`), or already if its folder does. */
  usedIf: z.enum(['file', 'folder']),
});

/**
 * Template of an entry, members in order. Placeholders: `{name}`, `{command}`, `{args}`, `{words}` (command and
 * arguments in one list), `{url}`, `{headers}`, `{helper}` (a command line that prints headers).
 */
const shape = z.record(z.string(), z.json());

const commandSchema = z.strictObject({
  /** Searched in PATH, then in `places`. */
  name: z.string().check(z.regex(/^[a-z]+$/)),
  places: z.array(pathSchema),
  /** Arguments, with the placeholders `{name}` and `{entry}` (the entry as JSON). */
  add: z.array(z.string()),
  remove: z.array(z.string()),
});

/**
 * The app's own program, for its icon; absent for command-line apps and extensions of another app. The names are those
 * in the vendors' packages and in Homebrew's casks.
 */
const programSchema = z.strictObject({
  /** IDs of its desktop files on Linux, without `.desktop`; Snap and Flatpak have IDs of their own. */
  desktopFiles: z.array(z.string().check(z.regex(/^[\w.-]+$/))),
  /** Name of its bundle on macOS, without `.app`. */
  bundle: z.optional(z.string().check(z.regex(/^[\w. -]+$/))),
  /** On Windows. */
  executables: z.array(pathSchema),
});

/** One AI app of the table: where its configuration is, and what an entry looks like. Data only. */
export const appSchema = z.strictObject({
  id: appIdSchema,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  program: z.optional(programSchema),
  /** Per user, in the order of precedence; if none exists, the last is created. */
  files: z.record(z.enum(systems), z.array(placeSchema)),
  /** Installed if one of these exists. Default: the folder of one of its files. */
  installedIf: z.optional(z.array(pathSchema)),
  /** Per project, relative to its folder, in the order of precedence; if none exists, the last is created. */
  projectFiles: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** Its profiles may have server lists of their own (VS Code). */
  hasProfiles: z.optional(z.literal(true)),
  /** `json` is strict; `jsonc` allows comments. */
  format: z.enum(['json', 'jsonc', 'toml', 'yaml-map', 'yaml-list']),
  /** The top-level member that holds the entries. */
  list: z.string().check(z.minLength(1)),
  /** Accepts a comma after the last member. */
  trailingCommas: z.boolean(),
  stdio: shape,
  /** Absent if it does not support HTTP servers. */
  http: z.optional(shape),
  /** Names that break this rule are rejected. */
  nameRule: z.enum(['any', 'no-underscore']),
  /** The app's own CLI; run instead of writing its file. */
  command: z.optional(commandSchema),
  /** If it has no file yet: create it, or let the user paste since only the app knows where it looks. */
  whenAbsent: z.enum(['make', 'paste']),
  /** When it picks up a change. */
  notice: z.enum(['at-once', 'button', 'new-session', 'restart']),
  /**
   * App settings that exclude servers: those not in a list (`others-if-any`: unless the list is empty), those in it
   * (`named`), those disabled by name (`switched`), those whose tools are all disabled, or all servers.
   */
  gates: z.optional(
    z.array(
      z.strictObject({
        /** Relative to the folder of the app's file. Default: that file. */
        file: z.optional(z.string()),
        /** Empty: the whole file. */
        member: z.string(),
        excludes: z.enum(['others', 'others-if-any', 'named', 'switched', 'tools', 'all']),
        /** Applies only to project lists. */
        onlyForProjects: z.optional(z.literal(true)),
      }),
    ),
  ),
  /** Anything else the user must know. */
  note: z.optional(z.enum(appNotes)),
  /** How we know all of this. */
  evidence: z.string().check(z.minLength(1)),
});

export type App = z.infer<typeof appSchema>;
export type Shape = z.infer<typeof shape>;

/** Where an app stores its servers on this computer. No file has been read yet. */
export interface LocatedApp {
  readonly app: App;
  /** Installed, judging by its folders. */
  readonly isInstalled: boolean;
  /** The file that it reads, or would read if it existed. The path is empty if only the user knows it. */
  readonly file: AppFile;
  /** Every known path, the one that it reads first. */
  readonly candidates: readonly { readonly path: string; readonly exists: boolean }[];
}

export async function locateApp(app: App, files: Pick<AppFiles, 'find'>, host: HostEnvironment): Promise<LocatedApp> {
  const places = await Promise.all(
    app.files[host.system].map(async ({ path: template, usedIf }) => {
      const path = expandPath(template, host);
      const [file, folder] = await Promise.all([files.find(path), files.find(folderOf(path))]);
      const named = folder ? `${folder.path}${path.slice(folderOf(path).length)}` : path;
      const isUsed = usedIf === 'folder' ? folder !== undefined : file !== undefined;
      return { path: file?.path ?? named, exists: file !== undefined, hasFolder: folder !== undefined, isUsed };
    }),
  );
  // Only the user knows where an app that they added stores its servers.
  if (isOtherApp(app.id)) return { app, isInstalled: true, file: { path: '' }, candidates: places };
  const used = places.find(({ isUsed }) => isUsed) ?? places.at(-1);
  if (!used) throw new RangeError(`no file of ${app.id}`);
  const matches = (app.installedIf ?? []).map((template) => files.find(expandPath(template, host)));
  const isInstalled = app.installedIf
    ? (await Promise.all(matches)).some((sign) => sign !== undefined)
    : places.some(({ hasFolder }) => hasFolder);
  return {
    app,
    isInstalled,
    file: { path: used.path },
    candidates: [used, ...places.filter((place) => place !== used && place.exists)].map(({ path, exists }) => ({
      path,
      exists,
    })),
  };
}

/** Why its file cannot be read, according to `stat`. */
export async function faultFromStat(
  files: Pick<AppFiles, 'peekFault'>,
  { file, candidates }: Pick<LocatedApp, 'file' | 'candidates'>,
): Promise<PosternError | undefined> {
  return candidates[0]?.exists === true ? await files.peekFault(file) : undefined;
}

/** What decides where apps store their files. */
export interface HostEnvironment {
  readonly system: System;
  /** Absolute. */
  readonly home: string;
  /** Reads an environment variable. */
  readonly variable: (name: string) => string | undefined;
}

/** Absolute path of a template on this computer; a `*` stays. */
export function expandPath(template: string, { system, home, variable }: HostEnvironment): string {
  const expanded = template.replace(/^\{([A-Z_]+)\|([^}]*)\}/, (_all, name: string, otherwise: string) => {
    const value = variable(name);
    // Ignore relative values (XDG Base Directory Specification): they would depend on the working directory.
    return value !== undefined && /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(value) ? value.replace(/[\\/]+$/, '') : otherwise;
  });
  const path = expanded.replace(/^~/, () => home);
  return system === 'win32' ? path.replaceAll('/', '\\') : path;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}

/** The members that most apps use. */
export const commandAndArgs: Shape = { command: '{command}', args: '{args}' };
export const urlAndHeaders: Shape = { url: '{url}', headers: '{headers}' };

/** Qwen Code: an empty list allows no server. The second pair is from earlier versions. Names have no wildcards. */
export const qwenGates: NonNullable<App['gates']> = [
  { member: 'mcp.allowed', excludes: 'others' },
  { member: 'mcp.excluded', excludes: 'named' },
  { member: 'allowMCPServers', excludes: 'others' },
  { member: 'excludeMCPServers', excludes: 'named' },
  { member: 'admin.mcp.enabled', excludes: 'all' },
];

/** Gemini CLI, the origin of Qwen Code: an empty list allows all, and `/mcp disable` writes a file of its own. */
export const geminiGates: App['gates'] = [
  ...qwenGates.map((gate) => (gate.excludes === 'others' ? { ...gate, excludes: 'others-if-any' as const } : gate)),
  { file: 'mcp-server-enablement.json', member: '', excludes: 'switched' },
];

const claudeMembers = [
  { member: 'deniedMcpServers', excludes: 'named' },
  { member: 'allowedMcpServers', excludes: 'others' },
  { member: 'disabledMcpServers', excludes: 'named' },
  // For `.mcp.json` in a project folder.
  { member: 'disabledMcpjsonServers', excludes: 'named', onlyForProjects: true },
] as const;

/** Claude Code, in its settings files. */
export const claudeGates: App['gates'] = ['.claude/settings.json', '.claude/settings.local.json'].flatMap((settings) =>
  claudeMembers.map((gate) => ({ file: settings, ...gate })),
);

/** VS Code, in its settings. */
export const codeGates: App['gates'] = [
  { file: 'settings.json', member: 'chat.mcp.enabled', excludes: 'all' },
  { file: 'settings.json', member: 'chat.mcp.access', excludes: 'all' },
];

/** Where the installers for Windows put a program: for the user, or for everyone. */
export function installedOnWindows(file: string): NonNullable<App['program']>['executables'] {
  const user = '~/AppData/Local/Programs';
  return [`{LOCALAPPDATA|~/AppData/Local}/Programs/${file}`, `{PROGRAMFILES|${user}}/${file}`];
}

/** The same path on every system. */
export function everywhere(path: string): App['files'] {
  return { darwin: [filePlace(path)], win32: [filePlace(path)], linux: [filePlace(path)] };
}

/** One path per system. */
export function bySystem(paths: Readonly<Record<System, string>>): App['files'] {
  return {
    darwin: [filePlace(paths.darwin)],
    win32: [filePlace(paths.win32)],
    linux: [filePlace(paths.linux)],
  };
}

/** A path in the user folder of VS Code or a fork of it. */
export function inCodeFolder(editor: string, path: string): App['files'] {
  return bySystem({
    darwin: `~/Library/Application Support/${editor}/User/${path}`,
    win32: `{APPDATA|~/AppData/Roaming}/${editor}/User/${path}`,
    linux: `{XDG_CONFIG_HOME|~/.config}/${editor}/User/${path}`,
  });
}

function filePlace(path: string): App['files'][System][number] {
  return { path, usedIf: 'file' };
}

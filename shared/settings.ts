import * as z from 'zod/mini';
import { mostGroups, mostPlaced } from './bounds.ts';
import { callbackHosts, languages, officialRegistry, themes, windowSurfaces } from './choices.ts';
import { programIdSchema } from './program-record.ts';
import { changedToolRules } from './tool-permissions.ts';
import { readRegistryAddress, readWebOrigin } from './web-address.ts';

interface SettingDefinition {
  /** What is stored. A setting that is not stored has its default. */
  readonly schema: z.ZodMiniType;
  /** Absent: none, and `unset` says what happens then. */
  readonly default?: string | boolean;
  readonly unset?: string;
  /** One line for a list of settings, without a full stop. */
  readonly meaning: string;
  /** What may be typed. Absent where `settingChoices` are all there is. */
  readonly values?: string;
  /** The value that a typed word means; the schema judges it. Absent: the word, or the number or truth that it names. */
  readonly read?: (word: string) => unknown;
}

const port = z.int().check(z.minimum(1_024), z.maximum(65_535));
const portValues = 'a number from 1024 to 65535';

/** Every setting of the program. Schema, defaults, window, command line and completion come from here. */
export const settingTable = {
  callbackPort: {
    schema: port,
    unset: 'chosen at the first sign-in',
    meaning: 'Port on this computer that a sign-in comes back to. Part of the callback URL that services know',
    values: portValues,
  },
  callbackHost: {
    schema: z.enum(callbackHosts),
    // RFC 8252 8.3 recommends the literal address.
    default: '127.0.0.1',
    meaning: 'Host of the callback URL, for services that refuse one of the two',
  },
  gatewayPort: {
    schema: port,
    unset: 'chosen when the first of them needs it',
    meaning: 'Port on this computer for programs that use Postern over HTTP. Part of their entries',
    values: portValues,
  },
  allowedOrigin: {
    // As a browser sends it, and not just any address that has it.
    schema: z.string().check(z.refine((text) => readWebOrigin(text) === text)),
    unset: 'none',
    meaning: 'The one web page, by its origin, that may use Postern over HTTP. It needs the secret of a program too',
    values:
      'an origin with https, or with http on this computer: http://localhost:6274 (go back to none with --default)',
    read: (word: string) => readWebOrigin(word) ?? word,
  },
  certificateFile: {
    schema: z.string().check(z.minLength(1), z.maxLength(4_096)),
    unset: 'none',
    meaning: 'File with further certificate authorities (PEM), such as those of your company',
    values: 'the path of a file (go back to none with --default)',
  },
  activity: {
    schema: z.enum(['on', 'off']),
    default: 'on',
    meaning: 'Whether Postern notes which program called what, never what was said',
  },
  changedTools: {
    schema: z.enum(changedToolRules),
    default: 'show',
    meaning: 'Whether tools that are new or have changed are only shown, or held until you have looked at them',
  },
  signInSurface: {
    schema: z.enum(windowSurfaces),
    default: 'popup',
    meaning: 'Where the window opens a sign-in page: popup is a window of its own, browser is yours',
  },
  connectAtOnce: {
    schema: z.boolean(),
    default: false,
    meaning: 'Whether the window goes on to the sign-in by itself, where a checked address leaves nothing to decide',
  },
  theme: { schema: z.enum(themes), default: 'system', meaning: 'Colours of the window' },
  language: {
    schema: z.enum(languages),
    default: 'system',
    meaning: 'Language of the window. The command line speaks English',
  },
  checkForUpdates: { schema: z.boolean(), default: true, meaning: 'Whether the window looks for newer versions' },
  keepRunning: {
    schema: z.boolean(),
    unset: 'true once a program uses a server',
    meaning: 'Whether Postern goes on serving programs when its window is closed',
  },
  searchesRegistry: {
    schema: z.boolean(),
    default: false,
    meaning: 'Whether the window may search the MCP registry. It does so only when you press Search there',
  },
  registry: {
    // As it is stored, and not just any spelling that leads there.
    schema: z.string().check(z.refine((text) => readRegistryAddress(text).address === text)),
    default: officialRegistry,
    meaning: 'Address of the MCP registry that is searched, or of a copy of it',
    values: 'an address with https, or with http on this computer (go back to the official one with --default)',
    read: (word: string) => readRegistryAddress(word).address ?? word,
  },
  programsPaused: {
    schema: z.boolean(),
    default: false,
    meaning: 'Whether all that programs ask for is refused, until it is false again',
  },
  pausedPrograms: {
    schema: z.array(programIdSchema).check(z.maxLength(200)),
    unset: 'none',
    meaning: 'Programs of which all that they ask for is refused, until they are not named any more',
    values: 'programs as `postern programs` names them, with commas (go back to none with --default)',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingTable = typeof settingTable;
export type SettingName = keyof SettingTable;
export type SchemaOf<Name extends SettingName> = SettingTable[Name]['schema'];

export const settingNames = Object.keys(settingTable) as SettingName[];

/** The definition of one setting, with every member that it may have. */
export function settingOf(name: SettingName): SettingDefinition {
  return settingTable[name];
}

/** All that may be typed, where that can be listed. */
export function settingChoices(name: SettingName): readonly string[] | undefined {
  const { schema } = settingOf(name);
  if (schema instanceof z.ZodMiniBoolean) return ['true', 'false'];
  return schema instanceof z.ZodMiniEnum ? schema.options.map(String) : undefined;
}

/** The value that a typed word means; the schema judges it. */
export function readSettingWord(name: SettingName, word: string): unknown {
  const { schema, read } = settingOf(name);
  if (read) return read(word);
  if (schema instanceof z.ZodMiniBoolean) return word === 'true' ? true : word === 'false' ? false : word;
  if (schema instanceof z.ZodMiniNumber) return /^\d{1,9}$/u.test(word) ? Number(word) : word;
  return word;
}

export const placedServersSchema = z
  .array(z.string().check(z.minLength(1), z.maxLength(64)))
  .check(z.maxLength(mostPlaced));
/** Of a group; two groups differ in it. */
export const groupNameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(80));

/** How the user has arranged the side bar. A server that is not there any more may still be in it. */
export const arrangementSchema = z.object({
  /** Stand before all others. */
  pinned: z.optional(placedServersSchema),
  groups: z.optional(
    z
      .array(
        z.strictObject({ name: groupNameSchema, servers: placedServersSchema, isFolded: z.optional(z.literal(true)) }),
      )
      .check(z.maxLength(mostGroups)),
  ),
});

/** What is stored beside the list of integrations, each value by itself: the settings, and how the side bar is arranged. */
export const storedValueSchemas = {
  ...(Object.fromEntries(settingNames.map((name) => [name, settingOf(name).schema])) as {
    readonly [Name in SettingName]: SchemaOf<Name>;
  }),
  sidebar: arrangementSchema,
};

export const settingsSchema = z.partial(z.strictObject(storedValueSchemas));

export type Settings = z.infer<typeof settingsSchema>;

type SettingWithDefault = {
  [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown } ? Name : never;
}[SettingName];

/** What is stored, and the defaults of the rest. */
type SettingsInEffect = { readonly [Name in SettingWithDefault]: NonNullable<Settings[Name]> } & Omit<
  Settings,
  SettingWithDefault | 'sidebar'
>;

export function settingsInEffect(stored: Settings): SettingsInEffect {
  const values = settingNames.flatMap((name): [string, unknown][] => {
    const value = stored[name] ?? settingOf(name).default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as SettingsInEffect;
}

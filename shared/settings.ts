import * as z from 'zod';
import { mostGroups, mostPlaced } from './bounds.ts';
import { callbackHosts, languages, officialRegistry, themes, windowSurfaces } from './choices.ts';
import { programIdSchema } from './program-record.ts';
import { changedToolRules } from './tool-permissions.ts';
import { readRegistryAddress, readWebOrigin } from './web-address.ts';

interface SettingDefinition {
  /** What is stored. A setting that is not stored has its default. */
  readonly schema: z.ZodType;
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

const port = z.number().int().min(1_024).max(65_535);
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
    schema: z.string().refine((text) => readWebOrigin(text) === text),
    unset: 'none',
    meaning: 'The one web page, by its origin, that may use Postern over HTTP. It needs the secret of a program too',
    values:
      'an origin with https, or with http on this computer: http://localhost:6274 (go back to none with --default)',
    read: (word: string) => readWebOrigin(word) ?? word,
  },
  certificateFile: {
    schema: z.string().min(1).max(4_096),
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
    schema: z.string().refine((text) => readRegistryAddress(text).address === text),
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
    schema: z.array(programIdSchema).max(200),
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
  if (schema instanceof z.ZodBoolean) return ['true', 'false'];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

/** The value that a typed word means; the schema judges it. */
export function readSettingWord(name: SettingName, word: string): unknown {
  const { schema, read } = settingOf(name);
  if (read) return read(word);
  if (schema instanceof z.ZodBoolean) return word === 'true' ? true : word === 'false' ? false : word;
  if (schema instanceof z.ZodNumber) return /^\d{1,9}$/u.test(word) ? Number(word) : word;
  return word;
}

export const placedServersSchema = z.array(z.string().min(1).max(64)).max(mostPlaced);
/** Of a group; two groups differ in it. */
export const groupNameSchema = z.string().trim().min(1).max(80);

/** How the user has arranged the side bar. A server that is not there any more may still be in it. */
export const arrangementSchema = z.object({
  /** Stand before all others. */
  pinned: placedServersSchema.optional(),
  groups: z
    .array(
      z.strictObject({ name: groupNameSchema, servers: placedServersSchema, isFolded: z.literal(true).optional() }),
    )
    .max(mostGroups)
    .optional(),
});

/** What is stored beside the list of integrations, each value by itself: the settings, and how the side bar is arranged. */
export const storedValueSchemas = {
  ...(Object.fromEntries(settingNames.map((name) => [name, settingOf(name).schema])) as {
    readonly [Name in SettingName]: SchemaOf<Name>;
  }),
  sidebar: arrangementSchema,
};

export const settingsSchema = z.strictObject(storedValueSchemas).partial();

export type Settings = z.infer<typeof settingsSchema>;

const shapeOf = (schemaFor: (name: SettingName) => z.ZodType): unknown =>
  Object.fromEntries(settingNames.map((name) => [name, schemaFor(name)]));

/** A change that a page may ask for. `null`: back to the default. */
export const settingsChangeSchema = z.strictObject({
  ...(shapeOf((name) => settingOf(name).schema.nullable().optional()) as {
    readonly [Name in SettingName]: z.ZodOptional<z.ZodNullable<SchemaOf<Name>>>;
  }),
  /** The user picks the file in a dialog of the system: no page names one. */
  certificateFile: z.null().optional(),
  /** It stands in entries of programs: `program:changePort` renews them with it. */
  gatewayPort: z.undefined().optional(),
});

/** What came back in the place of a file that could not be used. */
export const restoredSettingsSchema = z.strictObject({
  servers: z.number().int().min(0),
  /** Milliseconds since 1970 from which the settings are. */
  writtenAt: z.number(),
  /** What stood there before, in the profile folder; absent where there was nothing. */
  keptAs: z.string().optional(),
});

export type RestoredSettings = Readonly<z.infer<typeof restoredSettingsSchema>>;

/** The settings in effect: what is stored, and the defaults of the rest. */
export const settingsViewSchema = z.strictObject(
  shapeOf((name) =>
    settingOf(name).default === undefined ? settingOf(name).schema.optional() : settingOf(name).schema,
  ) as {
    readonly [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown }
      ? SchemaOf<Name>
      : z.ZodOptional<SchemaOf<Name>>;
  },
);

type SettingsView = z.infer<typeof settingsViewSchema>;

export function settingsInEffect(stored: Settings): SettingsView {
  const values = settingNames.flatMap((name): [string, unknown][] => {
    const value = stored[name] ?? settingOf(name).default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as SettingsView;
}

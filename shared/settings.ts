import * as z from 'zod/mini';
import { maxGroups, maxPlacedServers } from './bounds.ts';
import { callbackHosts, languages, officialRegistry, themes, windowSurfaces } from './choices.ts';
import { appIdSchema } from './app-record.ts';
import { lazy } from './lazy.ts';
import { changedToolRules } from './tool-permissions.ts';
import { readRegistryAddress, readWebOrigin } from './web-address.ts';

/** Sections of the settings page: five for everybody, the others under Advanced. */
const settingsSections = ['general', 'signIn', 'apps', 'privacy', 'about'] as const;
export const advancedSettingsSections = ['callback', 'gateway', 'registry', 'network'] as const;
export type SettingsSection = (typeof settingsSections)[number] | (typeof advancedSettingsSections)[number];

interface SettingDefinition {
  /** The stored value; an absent one has its default. A start builds only the schemas of settings that are stored. */
  readonly schema: () => z.ZodMiniType;
  /** Absent: none; `unset` describes what applies then. */
  readonly default?: string | boolean;
  readonly unset?: string;
  /** One line for a list of settings, without a final period. */
  readonly meaning: string;
  /** Where the settings page shows it; absent: it is set elsewhere in the window. */
  readonly section?: SettingsSection;
  /** What may be typed; absent if `settingChoices` lists all values. */
  readonly values?: string;
  /** The value of a typed word; the schema validates it. */
  readonly read?: (word: string) => unknown;
}

const port = () => z.int().check(z.minimum(1_024), z.maximum(65_535));
const portValues = 'a number from 1024 to 65535';

/** Every setting of Postern. Schema, defaults, window, command line and completion come from here. */
const settingTable = {
  callbackPort: {
    schema: port,
    unset: 'chosen at the first sign-in',
    meaning: 'Port on this computer for the OAuth callback. Part of the callback URL registered at services',
    section: 'callback',
    values: portValues,
  },
  callbackHost: {
    schema: () => z.enum(callbackHosts),
    // RFC 8252 8.3 recommends the literal address.
    default: '127.0.0.1',
    meaning: 'Host of the callback URL. Some services accept only one of the two',
    section: 'callback',
  },
  gatewayPort: {
    schema: port,
    unset: 'chosen when the first app needs it',
    meaning: 'Port on this computer for AI apps that use Postern over HTTP. Part of their entries',
    section: 'gateway',
    values: portValues,
  },
  allowedOrigin: {
    // Exactly as a browser sends it.
    schema: () => z.string().check(z.refine((text) => readWebOrigin(text) === text)),
    unset: 'none',
    meaning: 'Origin of the one web page that may use Postern over HTTP. It also needs an app’s secret',
    section: 'gateway',
    values: 'an origin with https, or with http on this computer: http://localhost:6274 (--default removes it)',
    read: (word: string) => readWebOrigin(word) ?? word,
  },
  certificateFile: {
    schema: () => z.string().check(z.minLength(1), z.maxLength(4_096)),
    unset: 'none',
    meaning: 'File with additional certificate authorities (PEM), such as your company’s',
    section: 'network',
    values: 'the path of a file (--default removes it)',
  },
  activity: {
    schema: () => z.enum(['on', 'off']),
    default: 'on',
    meaning: 'Record which app calls what. Inputs and results are never recorded',
    section: 'privacy',
  },
  changedTools: {
    schema: () => z.enum(changedToolRules),
    default: 'show',
    meaning: 'show: notify you of new and changed tools. hold: block them until you review them',
    section: 'apps',
  },
  signInSurface: {
    schema: () => z.enum(windowSurfaces),
    default: 'popup',
    meaning: 'Where the window opens sign-in pages: popup (its own window) or browser (yours)',
    section: 'signIn',
  },
  connectAtOnce: {
    schema: () => z.boolean(),
    default: false,
    meaning: 'Start the sign-in right after checking an address, if there is nothing to decide',
    section: 'signIn',
  },
  theme: { schema: () => z.enum(themes), default: 'system', meaning: 'Colors of the window', section: 'general' },
  language: {
    schema: () => z.enum(languages),
    default: 'system',
    meaning: 'Language of the window. The command line is in English',
    section: 'general',
  },
  checkForUpdates: { schema: () => z.boolean(), default: true, meaning: 'Check for new versions', section: 'about' },
  keepRunning: {
    schema: () => z.boolean(),
    unset: 'true once an app uses a server',
    meaning: 'Keep Postern running for AI apps when you close its window',
    section: 'general',
  },
  searchesRegistry: {
    schema: () => z.boolean(),
    default: false,
    meaning: 'Allow searching the MCP registry in the window. Nothing is sent until you choose Search',
    section: 'registry',
  },
  registry: {
    // Exactly as stored, not another spelling of the same address.
    schema: () => z.string().check(z.refine((text) => readRegistryAddress(text).address === text)),
    default: officialRegistry,
    meaning: 'Address of the MCP registry, or of a copy of it',
    section: 'registry',
    values: 'an address with https, or with http on this computer (--default uses the official one)',
    read: (word: string) => readRegistryAddress(word).address ?? word,
  },
  appsPaused: {
    schema: () => z.boolean(),
    default: false,
    meaning: 'Refuse all requests from AI apps until you set this to false',
    section: 'apps',
  },
  pausedApps: {
    schema: () => z.array(appIdSchema).check(z.maxLength(200)),
    unset: 'none',
    meaning: 'AI apps whose requests are refused',
    values: 'apps as listed by `postern apps`, separated by commas (--default removes them all)',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingTable = typeof settingTable;
export type SettingName = keyof SettingTable;
export type SchemaOf<Name extends SettingName> = ReturnType<SettingTable[Name]['schema']>;

export const settingNames = Object.keys(settingTable) as SettingName[];

/** The definition of one setting, with all optional members. */
export function settingOf(name: SettingName): SettingDefinition {
  return settingTable[name];
}

/** All valid values, if they can be listed. */
export function settingChoices(name: SettingName): readonly string[] | undefined {
  const schema = settingOf(name).schema();
  if (schema instanceof z.ZodMiniBoolean) return ['true', 'false'];
  return schema instanceof z.ZodMiniEnum ? schema.options.map(String) : undefined;
}

/** The value of a typed word; the schema validates it. */
export function readSettingWord(name: SettingName, word: string): unknown {
  const { schema: schemaOf, read } = settingOf(name);
  if (read) return read(word);
  const schema = schemaOf();
  if (schema instanceof z.ZodMiniBoolean) return word === 'true' ? true : word === 'false' ? false : word;
  if (schema instanceof z.ZodMiniNumber) return /^\d{1,9}$/u.test(word) ? Number(word) : word;
  return word;
}

export const serverIdsSchema = lazy(() =>
  z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(maxPlacedServers)),
);
/** A group's name; unique. */
export const groupNameSchema = lazy(() => z.string().check(z.trim(), z.minLength(1), z.maxLength(80)));

/** The user's arrangement of the sidebar. It may contain servers that no longer exist. */
export const arrangementSchema = lazy(() =>
  z.object({
    /** Shown before all others. */
    pinned: z.optional(serverIdsSchema()),
    groups: z.optional(
      z
        .array(
          z.strictObject({
            name: groupNameSchema(),
            servers: serverIdsSchema(),
            isFolded: z.optional(z.literal(true)),
          }),
        )
        .check(z.maxLength(maxGroups)),
    ),
  }),
);

/**
 * The schema of a value that is stored beside the list of integrations: a setting, or the sidebar's arrangement;
 * `undefined` if there is none with that name.
 */
export function storedValueSchema(name: string): z.ZodMiniType | undefined {
  if (name === 'sidebar') return arrangementSchema();
  return Object.hasOwn(settingTable, name) ? settingOf(name as SettingName).schema() : undefined;
}

/** All of them. */
export const settingsSchema = lazy(() =>
  z.partial(
    z.strictObject({
      ...(Object.fromEntries(settingNames.map((name) => [name, settingOf(name).schema()])) as {
        readonly [Name in SettingName]: SchemaOf<Name>;
      }),
      sidebar: arrangementSchema(),
    }),
  ),
);

export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

type SettingWithDefault = {
  [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown } ? Name : never;
}[SettingName];

/** The stored settings, and the defaults of the others. */
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

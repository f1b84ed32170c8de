import * as z from 'zod/mini';
import { spokenLanguages, themes } from './choices.ts';
import { errorCodes } from './error-codes.ts';
import { detailSchema } from './error-detail.ts';
import { plainErrorSchema } from './plain-error.ts';
import { remedySchema } from './remedy.ts';
import { settingNames, settingOf } from './settings.ts';
import type { SchemaOf, SettingName, SettingTable } from './settings.ts';
import { sidebarSchema } from './sidebar.ts';
import { checkSteps } from './status-words.ts';
import type { CheckFault } from './status-words.ts';

const updateStates = ['off', 'idle', 'checking', 'available', 'downloading', 'ready'] as const;
/**
 * Why a program does not look for newer versions: it runs from its source; whoever set up this computer decided so; it
 * was built without a feed or without the key that its releases are signed with; it was not installed in a way that
 * can be replaced.
 */
const updateObstacles = ['source', 'managed', 'unsigned-build', 'not-installed'] as const;

/** Newer versions of the program itself. */
const updateViewSchema = z.strictObject({
  state: z.enum(updateStates),
  /** With `off`. */
  obstacle: z.optional(z.enum(updateObstacles)),
  /** The person wants it to look by itself. */
  automatic: z.boolean(),
  /** The newer one. */
  version: z.optional(z.string()),
  /** While it is downloaded. */
  percent: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  /** Milliseconds since 1970 of the last look. */
  checkedAt: z.optional(z.number()),
  error: z.optional(plainErrorSchema),
});

export type UpdateView = z.infer<typeof updateViewSchema>;
export type UpdateObstacle = (typeof updateObstacles)[number];

const checkFaults = Object.keys(checkSteps) as [CheckFault, ...CheckFault[]];

/** One thing that sign-ins, servers on this computer or apps need, and what to do where it is not as it should be. */
export const checkViewSchema = z.strictObject({
  name: z.enum(['settings', 'keychain', 'vault', 'callback', 'clock', 'providers', 'local', 'programs', 'collections']),
  ok: z.boolean(),
  /** The server, app or collection that it is about. */
  of: z.optional(z.string()),
  /** Of an app: its entry, or the server that it waits for. */
  entry: z.optional(z.string()),
  fault: z.optional(z.enum(checkFaults)),
  /** Of a fault: the collection that is gone, what the entry starts, and the app's own setting. */
  collection: z.optional(z.string()),
  command: z.optional(z.string()),
  setting: z.optional(z.string()),
  code: z.optional(z.enum(errorCodes)),
  message: z.optional(z.string()),
  detail: z.optional(detailSchema),
  remedy: z.optional(remedySchema),
});

const settingShape = (schemaFor: (name: SettingName) => z.ZodMiniType): unknown =>
  Object.fromEntries(settingNames.map((name) => [name, schemaFor(name)]));

/** A change that a page may ask for. `null`: back to the default. */
export const settingsChangeSchema = z.strictObject({
  ...(settingShape((name) => z.optional(z.nullable(settingOf(name).schema))) as {
    readonly [Name in SettingName]: z.ZodMiniOptional<z.ZodMiniNullable<SchemaOf<Name>>>;
  }),
  /** The user picks the file in a dialog of the system: no page names one. */
  certificateFile: z.optional(z.null()),
  /** AI apps have it in their entries: `program:changePort` updates both. */
  gatewayPort: z.optional(z.undefined()),
});

/** The settings in effect. */
export const settingsViewSchema = z.strictObject(
  settingShape((name) =>
    settingOf(name).default === undefined ? z.optional(settingOf(name).schema) : settingOf(name).schema,
  ) as {
    readonly [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown }
      ? SchemaOf<Name>
      : z.ZodMiniOptional<SchemaOf<Name>>;
  },
);

/** The settings that replaced an unusable settings file. */
export const restoredSettingsSchema = z.strictObject({
  servers: z.int().check(z.minimum(0)),
  /** Milliseconds since 1970 from which the settings are. */
  writtenAt: z.number(),
  /** What stood there before, in the profile folder; absent where there was nothing. */
  keptAs: z.optional(z.string()),
});

export type RestoredSettings = Readonly<z.infer<typeof restoredSettingsSchema>>;

/** What the program itself has to say. */
export const appViewSchema = z.strictObject({
  version: z.string(),
  /** `process.platform`. */
  platform: z.string(),
  /** For "about": the shell and its parts, name and version. */
  runtime: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  theme: z.enum(themes),
  /** What the window speaks: as chosen, or that of the system. */
  language: z.enum(spokenLanguages),
  settings: z.extend(settingsViewSchema, { keepRunning: z.boolean(), startAtLogin: z.boolean() }),
  /** As the person has arranged it. */
  sidebar: sidebarSchema,
  /** False: this system offers no start at login. */
  canStartAtLogin: z.boolean(),
  /** A program uses a server now, and the person has not been asked whether Postern is to start at login. */
  offersStartAtLogin: z.boolean(),
  storage: z.strictObject({
    /** `checking` until the self-test at start has ended; the window does not wait for it. */
    state: z.enum(['checking', 'ok', 'trouble']),
    /** Where secrets are kept: `libsecret`, `macos-keychain`, `windows-credential-manager`. */
    backend: z.string(),
    /** Nothing is kept beyond this run: no usable keychain. */
    memoryOnly: z.boolean(),
    error: z.optional(plainErrorSchema),
  }),
  /** Why the settings file cannot be used; nothing is listed or changed until it can. */
  settingsTrouble: z.optional(
    z.strictObject({
      error: plainErrorSchema,
      /** What Postern itself wrote last, where that can be brought back. `writtenAt` in milliseconds since 1970. */
      lastGood: z.optional(z.strictObject({ servers: z.number(), writtenAt: z.number() })),
    }),
  ),
  /** `direct`; or a proxy is set (its host), which is used, or cannot be. */
  proxy: z.strictObject({ mode: z.enum(['direct', 'inUse', 'notUsed']), host: z.optional(z.string()) }),
  notices: z.array(
    z.strictObject({
      id: z.string(),
      code: z.enum(errorCodes),
      message: z.string(),
      detail: z.optional(detailSchema),
      remedy: remedySchema,
    }),
  ),
  /** Why programs that hold an address of Postern do not get in. */
  httpTrouble: z.optional(plainErrorSchema),
  /** Newer versions of the program; absent until it has had time to see whether it can have any. */
  update: z.optional(updateViewSchema),
  /** Chromium's, around the pages of sign-ins. `leftOut`: by the starter of an AppImage. */
  sandbox: z.enum(['on', 'off', 'leftOut']),
  /** A server that runs for trying things out. */
  demo: z.optional(z.strictObject({ url: z.string() })),
  /** The redirect address to register at services; absent until its port has been chosen. */
  callbackUrl: z.optional(z.string()),
});

export type AppView = z.infer<typeof appViewSchema>;
export type CheckView = z.infer<typeof checkViewSchema>;

const id = z.string().check(z.minLength(1), z.maxLength(64));
const done = z.null();

/** What leads out of the window: to a folder, the clipboard, a browser. A part of `ipc-contract.ts`. */
export const appCalls = {
  'app:openLogs': { input: z.strictObject({}), output: done },
  /**
   * Main writes to the clipboard. `id`: of the connection, for `serverAddress` of the integration, for `report` of either.
   */
  'app:copy': {
    input: z.strictObject({
      kind: z.enum([
        'callbackUrl',
        'scopes',
        'authorizationLink',
        'deviceCode',
        'deviceLink',
        'serverAddress',
        'report',
      ]),
      id: z.optional(id),
      /** Of a report: which of the sign-ins that are kept; left out: the last one. */
      signInAt: z.optional(z.int()),
    }),
    output: done,
  },
  /** A page of a service of the catalogue, in the person's browser: no other page can be named. */
  'app:openPage': {
    input: z.strictObject({ service: z.string().check(z.maxLength(80)), page: z.enum(['home', 'app', 'key']) }),
    output: done,
  },
} as const;

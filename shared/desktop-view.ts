import * as z from 'zod/mini';
import { supportedLanguages, themes } from './choices.ts';
import { errorCodeSchema } from './error-code-schema.ts';
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
 * Why Postern does not check for updates: it runs from source; an administrator decided so; it was built without a feed
 * or a release signing key; its installation can't be replaced.
 */
const updateObstacles = ['source', 'managed', 'unsigned-build', 'not-installed'] as const;

/** Updates of Postern itself. */
const updateViewSchema = z.strictObject({
  state: z.enum(updateStates),
  /** Only with `off`. */
  obstacle: z.optional(z.enum(updateObstacles)),
  /** The user wants automatic checks. */
  automatic: z.boolean(),
  /** The new version. */
  version: z.optional(z.string()),
  /** During the download. */
  percent: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  /** When it last checked, in milliseconds since 1970. */
  checkedAt: z.optional(z.number()),
  error: z.optional(plainErrorSchema),
});

export type UpdateView = z.infer<typeof updateViewSchema>;
export type UpdateObstacle = (typeof updateObstacles)[number];

const checkFaults = Object.keys(checkSteps) as [CheckFault, ...CheckFault[]];

/** One health check of what sign-ins, local servers or apps need, and the step that helps. */
export const checkViewSchema = z.strictObject({
  name: z.enum(['settings', 'keychain', 'vault', 'callback', 'clock', 'providers', 'local', 'apps', 'collections']),
  ok: z.boolean(),
  /** The checked server, app or collection. */
  of: z.optional(z.string()),
  /** For an app: its entry, or the server whose lines are missing. */
  entry: z.optional(z.string()),
  fault: z.optional(z.enum(checkFaults)),
  /** For a fault: the missing collection, the command of the entry, or the app's own setting. */
  collection: z.optional(z.string()),
  command: z.optional(z.string()),
  setting: z.optional(z.string()),
  code: z.optional(errorCodeSchema),
  message: z.optional(z.string()),
  detail: z.optional(detailSchema),
  remedy: z.optional(remedySchema),
});

const settingShape = (schemaFor: (name: SettingName) => z.ZodMiniType): unknown =>
  Object.fromEntries(settingNames.map((name) => [name, schemaFor(name)]));

/** A change that the window may request. `null` resets to the default. */
export const settingsChangeSchema = z.strictObject({
  ...(settingShape((name) => z.optional(z.nullable(settingOf(name).schema()))) as {
    readonly [Name in SettingName]: z.ZodMiniOptional<z.ZodMiniNullable<SchemaOf<Name>>>;
  }),
  /** The user picks the file in a system dialog: no page can name one. */
  certificateFile: z.optional(z.null()),
  /** AI apps have it in their entries: `app:changePort` updates both. */
  gatewayPort: z.optional(z.undefined()),
});

/** The settings in effect. */
export const settingsViewSchema = z.strictObject(
  settingShape((name) =>
    settingOf(name).default === undefined ? z.optional(settingOf(name).schema()) : settingOf(name).schema(),
  ) as {
    readonly [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown }
      ? SchemaOf<Name>
      : z.ZodMiniOptional<SchemaOf<Name>>;
  },
);

/** The settings that replaced an unusable settings file. */
export const restoredSettingsSchema = z.strictObject({
  servers: z.int().check(z.minimum(0)),
  /** When these settings were written, in milliseconds since 1970. */
  writtenAt: z.number(),
  /** Where the previous file was saved, in the profile folder; absent if there was none. */
  savedAs: z.optional(z.string()),
});

export type RestoredSettings = Readonly<z.infer<typeof restoredSettingsSchema>>;

/** The state of Postern itself. */
export const desktopViewSchema = z.strictObject({
  version: z.string(),
  /** `process.platform`. */
  platform: z.string(),
  /** For "About": Electron and its components, name and version. */
  runtime: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  theme: z.enum(themes),
  /** The window's language: the chosen one, or the system's. */
  language: z.enum(supportedLanguages),
  settings: z.extend(settingsViewSchema, { keepRunning: z.boolean(), startAtLogin: z.boolean() }),
  /** As arranged by the user. */
  sidebar: sidebarSchema,
  /** False: this system can't start apps at login. */
  canStartAtLogin: z.boolean(),
  /** An app uses a server now, and Postern has not yet asked about starting at login. */
  offersStartAtLogin: z.boolean(),
  storage: z.strictObject({
    /** `checking` until the startup self-test ends; the window does not wait for it. */
    state: z.enum(['checking', 'ok', 'trouble']),
    /** Where secrets are stored: `libsecret`, `macos-keychain`, `windows-credential-manager`. */
    backend: z.string(),
    /** Nothing is stored beyond this run, because there is no usable keychain. */
    memoryOnly: z.boolean(),
    error: z.optional(plainErrorSchema),
  }),
  /** Why the settings file is unusable; until it is fixed, nothing is listed or changed. */
  settingsTrouble: z.optional(
    z.strictObject({
      error: plainErrorSchema,
      /** What Postern last wrote, if it can be restored. `writtenAt` in milliseconds since 1970. */
      lastGood: z.optional(z.strictObject({ servers: z.number(), writtenAt: z.number() })),
    }),
  ),
  /** `direct`, or a proxy is set (its host), which is used or unusable. */
  proxy: z.strictObject({ mode: z.enum(['direct', 'inUse', 'notUsed']), host: z.optional(z.string()) }),
  notices: z.array(
    z.strictObject({
      id: z.string(),
      code: errorCodeSchema,
      message: z.string(),
      detail: z.optional(detailSchema),
      remedy: remedySchema,
    }),
  ),
  /** Why apps that connect with an address can't reach Postern. */
  httpTrouble: z.optional(plainErrorSchema),
  /** Updates; absent until Postern knows whether it can update itself. */
  update: z.optional(updateViewSchema),
  /** Chromium's sandbox around sign-in pages. `leftOut`: disabled by the AppImage launcher. */
  sandbox: z.enum(['on', 'off', 'leftOut']),
  /** The demo server. */
  demo: z.optional(z.strictObject({ url: z.string() })),
  /** The callback URL to register at services; absent until its port is chosen. */
  callbackUrl: z.optional(z.string()),
});

export type DesktopView = z.infer<typeof desktopViewSchema>;
export type CheckView = z.infer<typeof checkViewSchema>;

const id = z.string().check(z.minLength(1), z.maxLength(64));
const done = z.null();

/** Calls that leave the window: to a folder, the clipboard, a browser. Part of `ipc-contract.ts`. */
export const desktopCalls = {
  'desktop:openLogs': { input: z.strictObject({}), output: done },
  /**
   * Main writes to the clipboard. `id`: of the sign-in attempt; for `serverAddress`, of the integration; for `report`,
   * of either.
   */
  'desktop:copy': {
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
      /** For a report: which of the stored sign-ins; absent: the last one. */
      signInAt: z.optional(z.int()),
    }),
    output: done,
  },
  /** Opens a page of a cataloged service in the user's browser: no other page can be named. */
  'desktop:openPage': {
    input: z.strictObject({ service: z.string().check(z.maxLength(80)), page: z.enum(['home', 'oauthApp', 'key']) }),
    output: done,
  },
} as const;

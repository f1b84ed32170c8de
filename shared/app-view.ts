import * as z from 'zod';
import { spokenLanguages, themes } from './choices.ts';
import { errorCodes } from './error-codes.ts';
import { detailSchema } from './error-detail.ts';
import { plainErrorSchema } from './plain-error.ts';
import { remedySchema } from './remedy.ts';
import { settingsViewSchema } from './settings.ts';
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
  obstacle: z.enum(updateObstacles).optional(),
  /** The person wants it to look by itself. */
  automatic: z.boolean(),
  /** The newer one. */
  version: z.string().optional(),
  /** While it is downloaded. */
  percent: z.number().min(0).max(100).optional(),
  /** Milliseconds since 1970 of the last look. */
  checkedAt: z.number().optional(),
  error: plainErrorSchema.optional(),
});

export type UpdateView = z.infer<typeof updateViewSchema>;
export type UpdateObstacle = (typeof updateObstacles)[number];

const checkFaults = Object.keys(checkSteps) as [CheckFault, ...CheckFault[]];

/** One thing that sign-ins, servers on this computer or apps need, and what to do where it is not as it should be. */
export const checkViewSchema = z.strictObject({
  name: z.enum(['settings', 'keychain', 'vault', 'callback', 'clock', 'providers', 'local', 'programs', 'collections']),
  ok: z.boolean(),
  /** The server, app or collection that it is about. */
  of: z.string().optional(),
  /** Of an app: its entry, or the server that it waits for. */
  entry: z.string().optional(),
  fault: z.enum(checkFaults).optional(),
  /** Of a fault: the collection that is gone, what the entry starts, and the app's own setting. */
  collection: z.string().optional(),
  command: z.string().optional(),
  setting: z.string().optional(),
  code: z.enum(errorCodes).optional(),
  message: z.string().optional(),
  detail: detailSchema.optional(),
  remedy: remedySchema.optional(),
});

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
  settings: settingsViewSchema.extend({ keepRunning: z.boolean(), startAtLogin: z.boolean() }),
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
    error: plainErrorSchema.optional(),
  }),
  /** Why the settings file cannot be used; nothing is listed or changed until it can. */
  settingsTrouble: z
    .strictObject({
      error: plainErrorSchema,
      /** What Postern itself wrote last, where that can be brought back. `writtenAt` in milliseconds since 1970. */
      lastGood: z.strictObject({ servers: z.number(), writtenAt: z.number() }).optional(),
    })
    .optional(),
  /** `direct`; or a proxy is set (its host), which is used, or cannot be. */
  proxy: z.strictObject({ mode: z.enum(['direct', 'inUse', 'notUsed']), host: z.string().optional() }),
  notices: z.array(
    z.strictObject({
      id: z.string(),
      code: z.enum(errorCodes),
      message: z.string(),
      detail: detailSchema.optional(),
      remedy: remedySchema,
    }),
  ),
  /** Why programs that hold an address of Postern do not get in. */
  httpTrouble: plainErrorSchema.optional(),
  /** Newer versions of the program; absent until it has had time to see whether it can have any. */
  update: updateViewSchema.optional(),
  /** Chromium's, around the pages of sign-ins. `leftOut`: by the starter of an AppImage. */
  sandbox: z.enum(['on', 'off', 'leftOut']),
  /** A server that runs for trying things out. */
  demo: z.strictObject({ url: z.string() }).optional(),
  /** The redirect address to register at services; absent until its port has been chosen. */
  callbackUrl: z.string().optional(),
});

export type AppView = z.infer<typeof appViewSchema>;
export type CheckView = z.infer<typeof checkViewSchema>;

const id = z.string().min(1).max(64);
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
      id: id.optional(),
      /** Of a report: which of the sign-ins that are kept; left out: the last one. */
      signInAt: z.number().int().optional(),
    }),
    output: done,
  },
  /** A page of a service of the catalogue, in the person's browser: no other page can be named. */
  'app:openPage': {
    input: z.strictObject({ service: z.string().max(80), page: z.enum(['home', 'app', 'key']) }),
    output: done,
  },
} as const;

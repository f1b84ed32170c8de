import * as z from 'zod';
import { callbackHosts, languages, spokenLanguages, themes, windowSurfaces } from './choices.ts';
import { changedToolRules } from './tool-permissions.ts';
import { errorCodes } from './error-codes.ts';
import { detailSchema, plainErrorSchema } from './plain-error.ts';
import { remedySchema } from './remedy.ts';
import { sidebarSchema } from './sidebar.ts';
import { updateViewSchema } from './update-view.ts';

export const checkViewSchema = z.strictObject({
  name: z.enum(['settings', 'keychain', 'vault', 'callback', 'clock', 'providers']),
  ok: z.boolean(),
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
  settings: z.strictObject({
    signInSurface: z.enum(windowSurfaces),
    /** A checked address that leaves nothing to decide goes on to its sign-in. */
    connectAtOnce: z.boolean(),
    callbackHost: z.enum(callbackHosts),
    callbackPort: z.number().optional(),
    /** Of the way in for programs over HTTP, once one of them has needed it. */
    gatewayPort: z.number().optional(),
    /** Of the one web page that may come in there. */
    allowedOrigin: z.string().optional(),
    theme: z.enum(themes),
    language: z.enum(languages),
    startAtLogin: z.boolean(),
    /** Whether it is noted which program called what. */
    activity: z.enum(['on', 'off']),
    /** What becomes of changed tools, where a server has no choice of its own. */
    changedTools: z.enum(changedToolRules),
    /** Whether a registry may be searched, and which one, as it was chosen. */
    searchesRegistry: z.boolean(),
    registry: z.string(),
    /** Whether Postern goes on when its window is closed. */
    keepRunning: z.boolean(),
  }),
  /** As the person has arranged it. */
  sidebar: sidebarSchema,
  /** False: this system offers no start at login. */
  canStartAtLogin: z.boolean(),
  /** A program uses a server now, and the person has not been asked whether Postern is to start at login. */
  offersStartAtLogin: z.boolean(),
  /** All that programs ask for is refused. */
  programsPaused: z.boolean(),
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

import * as z from 'zod';
import { callbackHosts, languages, themes } from './choices.ts';
import { programIdSchema } from './program-record.ts';
import { readRegistryAddress } from './registry-address.ts';
import { sidebarSchema } from './sidebar.ts';
import { changedToolRules } from './tool-permissions.ts';
import { readWebOrigin } from './web-origin.ts';

const pixels = z.number().int().min(-100_000).max(100_000);

/** Where the window was, in device-independent pixels. */
export const windowPlaceSchema = z.strictObject({
  x: pixels.optional(),
  y: pixels.optional(),
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
});

/** As a browser sends it, and not only an address that has it. */
export const webOriginSchema = z.string().refine((text) => readWebOrigin(text) === text);

/** As it is kept, and not only one that leads there. */
export const registryAddressSchema = z.string().refine((text) => readRegistryAddress(text).address === text);

/** That closing the window leaves the program running; that it can start with the computer. */
const toldOnce = ['keeps-running', 'start-at-login'] as const;

/** Program-wide settings; the integration list stands beside them in the same file. */
export const settingsSchema = z.strictObject({
  /** Port of the loopback callback, chosen once and kept, since it is part of registered redirect URIs. */
  callbackPort: z.number().int().min(1_024).max(65_535).optional(),
  /** Left out: the literal loopback address (RFC 8252 8.3). */
  callbackHost: z.enum(callbackHosts).optional(),
  /** Port of the way in for programs over HTTP, chosen once and kept, since it is part of their entries. */
  gatewayPort: z.number().int().min(1_024).max(65_535).optional(),
  /** Of the one web page that may come in over HTTP. Left out: none may. */
  allowedOrigin: webOriginSchema.optional(),
  /** Path of a file with further certificate authorities in PEM form, such as those of a company. */
  certificateFile: z.string().min(1).max(4_096).optional(),
  signInSurface: z.enum(['popup', 'browser', 'print']).optional(),
  /** Left out: the verdict on a server waits for a press. */
  connectAtOnce: z.boolean().optional(),
  theme: z.enum(themes).optional(),
  /** Of the window. Left out: the language of the system, where that is spoken here. */
  language: z.enum(languages).optional(),
  /** Left out: which program called what is noted. */
  activity: z.enum(['on', 'off']).optional(),
  /** What becomes of changed tools, where a server has no choice of its own. Left out: they are shown. */
  changedTools: z.enum(changedToolRules).optional(),
  /** Left out: newer versions are looked for. */
  checkForUpdates: z.boolean().optional(),
  /** Left out: once a program uses a server. */
  keepRunning: z.boolean().optional(),
  /** No request of a program is passed on; what is under way goes on. */
  programsPaused: z.boolean().optional(),
  /** The same for single ones of the table of programs. */
  pausedPrograms: z.array(programIdSchema).max(200).optional(),
  /** Left out: nobody asks a registry. */
  searchesRegistry: z.boolean().optional(),
  /** Address of the registry that is searched. Left out: the official one. */
  registry: registryAddressSchema.optional(),
  /** What a person has been told, or was asked, once. */
  told: z.array(z.enum(toldOnce)).optional(),
  window: windowPlaceSchema.optional(),
  sidebar: sidebarSchema.optional(),
});

export type Settings = z.infer<typeof settingsSchema>;
export type WindowPlace = z.infer<typeof windowPlaceSchema>;

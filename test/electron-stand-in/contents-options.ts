import type * as Electron from 'electron';
import type { ContentsOptions } from './contents-page.ts';
import { notEmulated } from './not-emulated.ts';
import { StandInSession } from './session.ts';

/** Preferences that are in force here by nature, or change nothing that a page of Chromium could show. */
const accepted = new Set([
  'additionalArguments',
  'allowRunningInsecureContent',
  'autoplayPolicy',
  'backgroundThrottling',
  'devTools',
  'disableBlinkFeatures',
  'disableDialogs',
  'enableWebSQL',
  'experimentalFeatures',
  'images',
  'navigateOnDragDrop',
  'partition',
  'preload',
  'safeDialogs',
  'safeDialogsMessage',
  'scrollBounce',
  'session',
  'spellcheck',
  'textAreasAreResizable',
  'v8CacheOptions',
]);

/** Those that have one value here. */
const fixed: Readonly<Record<string, boolean>> = {
  contextIsolation: true,
  javascript: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  sandbox: true,
  webSecurity: true,
  webviewTag: false,
  webgl: true,
  plugins: false,
};

/** What `getLastWebPreferences` tells. */
const told = [
  'allowRunningInsecureContent',
  'contextIsolation',
  'disableDialogs',
  'experimentalFeatures',
  'javascript',
  'nodeIntegration',
  'nodeIntegrationInSubFrames',
  'sandbox',
  'webSecurity',
  'webviewTag',
] as const;

type Place = Pick<ContentsOptions, 'bounds' | 'hidden' | 'backgroundColor'>;

/** Reads `webPreferences`; throws for any that the stand-in cannot keep. */
export function readWebPreferences(preferences: Electron.WebPreferences, place: Place): ContentsOptions {
  for (const [name, value] of Object.entries(preferences)) {
    if (value === undefined || accepted.has(name)) continue;
    if (fixed[name] !== value && !(name === 'webgl' && value === false))
      notEmulated(`webPreferences.${name}: ${String(value)}`);
  }
  const { session, partition, preload, additionalArguments = [] } = preferences;
  const chosen =
    (session as unknown as StandInSession | undefined) ??
    (partition === undefined ? StandInSession.defaultSession : StandInSession.fromPartition(partition));
  const inForce = Object.fromEntries(told.map((name) => [name, preferences[name] ?? fixed[name] ?? false] as const));
  return { session: chosen, preload, additionalArguments, inForce, ...place };
}

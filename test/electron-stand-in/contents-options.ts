import type * as Electron from 'electron';
import type { ContentsOptions } from './contents-page.ts';
import { notEmulated } from './not-emulated.ts';
import { StandInSession } from './session.ts';

/** Preferences that always apply here, or have no visible effect in a Chromium page. */
const acceptedPreferences = new Set([
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

/** Preferences with a fixed value here. */
const fixedPreferences: Readonly<Record<string, boolean>> = {
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

/** The result of `getLastWebPreferences`. */
const reportedPreferences = [
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

/** Reads `webPreferences`; throws for any that the stand-in cannot honor. */
export function readWebPreferences(preferences: Electron.WebPreferences, place: Place): ContentsOptions {
  for (const [name, value] of Object.entries(preferences)) {
    if (value === undefined || acceptedPreferences.has(name)) continue;
    if (fixedPreferences[name] !== value && !(name === 'webgl' && value === false))
      notEmulated(`webPreferences.${name}: ${String(value)}`);
  }
  const { session, partition, preload, additionalArguments = [] } = preferences;
  const chosen =
    (session as unknown as StandInSession | undefined) ??
    (partition === undefined ? StandInSession.defaultSession : StandInSession.fromPartition(partition));
  const effective = Object.fromEntries(
    reportedPreferences.map((name) => [name, preferences[name] ?? fixedPreferences[name] ?? false] as const),
  );
  return { session: chosen, preload, additionalArguments, preferences: effective, ...place };
}

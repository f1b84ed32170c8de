import { editorApps, jetbrainsApps } from './editor-apps.ts';
import type { App } from './app.ts';
import { claudeApps, cliAndDesktopApps } from './cli-and-desktop-apps.ts';

/** Every AI app that Postern can configure. */
export const apps: readonly App[] = [...claudeApps, ...editorApps, ...cliAndDesktopApps, ...jetbrainsApps];

/** Finds an app by ID, name, or an unambiguous prefix of an ID. */
export function findApp(word: string): App | undefined {
  const wanted = lettersAndDigits(word);
  const exact = apps.find(({ id, name }) => lettersAndDigits(id) === wanted || lettersAndDigits(name) === wanted);
  if (exact || wanted === '') return exact;
  const matches = apps.filter(({ id }) => lettersAndDigits(id).startsWith(wanted));
  return matches.length === 1 ? matches[0] : undefined;
}

/** Finds an app by the name that it reports. Ignores case and word separators. */
export function findAppByReportedName(word: string): App | undefined {
  const wanted = normalizeSeparators(word);
  return apps.find(({ id, name }) => normalizeSeparators(id) === wanted || normalizeSeparators(name) === wanted);
}

function normalizeSeparators(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function lettersAndDigits(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

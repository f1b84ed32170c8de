import { english } from './words.ts';
import type { Words } from './words.ts';
import { linkWords } from './words/de/link-words.ts';
import { settingsWords } from './words/de/settings-words.ts';

/** The window in German. */
export const german: Words = {
  ...english,
  link: linkWords,
  settings: settingsWords,
};

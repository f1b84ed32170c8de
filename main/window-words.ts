import type { Language } from '../shared/choices.ts';
import { systemWords as germanSystemWords } from '../shared/words/de/system-words.ts';
import { systemWords } from '../shared/words/en/system-words.ts';
import type { SystemWords } from '../shared/words/en/system-words.ts';

/** In the language that the window speaks. Read them when something is shown, not once as a module is loaded. */
export let windowWords: SystemWords = systemWords;

/** What the window speaks. */
export let windowLanguage: Language = 'en';

/** From now on main shows its words in `language`. False: it did so already. */
export function speakInWindows(language: Language): boolean {
  if (language === windowLanguage) return false;
  windowLanguage = language;
  windowWords = language === 'de' ? germanSystemWords : systemWords;
  return true;
}

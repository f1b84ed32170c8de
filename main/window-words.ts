import type { Language } from '../shared/choices.ts';
import { systemWords as germanSystemWords } from '../shared/words/de/system-words.ts';
import { systemWords } from '../shared/words/en/system-words.ts';
import type { SystemWords } from '../shared/words/en/system-words.ts';

/** Texts in the window's language. Read them when showing something, not at module load. */
export let windowWords: SystemWords = systemWords;

/** The window's language. */
export let windowLanguage: Language = 'en';

/** Switches the language of main's texts. False if it was already set. */
export function setWindowLanguage(language: Language): boolean {
  if (language === windowLanguage) return false;
  windowLanguage = language;
  windowWords = language === 'de' ? germanSystemWords : systemWords;
  return true;
}

import { create } from 'zustand';
import type { Language } from '../shared/choices.ts';
import { english } from '../shared/words/english.ts';
import type { Words } from '../shared/words/english.ts';

/**
 * The words of the language that is spoken. Read them where something is drawn, not once as a module is loaded: they
 * change with the language, and everything is drawn again then (`language.ts`).
 */
export let words: Words = english;

/** From now on `words` are these. */
function speakWith(spoken: Words): void {
  words = spoken;
}

/** What the window speaks; `undefined` before its words are there. Who is drawn by `memo` listens to it. */
export const useLanguage = create<{ readonly language: Language | undefined }>()(() => ({ language: undefined }));

let wanted: Language | undefined;

/**
 * Speaks `language` from now on, and has everything drawn again that shows a word. What is typed stays, since no part is
 * made anew. Where its words cannot be loaded, it stays as it is.
 */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const spoken = await wordsOf(language).catch(() => undefined);
  // Another one was chosen meanwhile.
  if (wanted !== language) return;
  const now = spoken ? language : (useLanguage.getState().language ?? 'en');
  if (spoken) speakWith(spoken);
  formatAs(now);
  document.documentElement.lang = now;
  useLanguage.setState({ language: now });
}

/** German is loaded by those who speak it. */
async function wordsOf(language: Language): Promise<Words> {
  return language === 'de' ? (await import('../shared/words/german.ts')).german : english;
}

/** Where the person has said nothing finer, such as the English of the United States. */
const usual: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** For dates, numbers and orders: the person's own kind of the language that is spoken. A tag of BCP 47. */
export let locale = usual.en;

/** From now on everything is formatted as in `language`. */
function formatAs(language: Language): void {
  locale = navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? usual[language];
}

/** A format of the locale that holds when it is asked for; making one takes long. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  let made: { readonly locale: string; readonly format: Format } | undefined;
  return () => {
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}

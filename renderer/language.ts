import { create } from 'zustand';
import type { Language } from '../shared/choices.ts';
import { formatAs } from './locale.ts';
import { english, speakWith } from './words.ts';
import type { Words } from './words.ts';

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
  return language === 'de' ? (await import('./german.ts')).german : english;
}

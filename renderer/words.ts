import { useEffect, useState } from 'react';
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

const dates = (options: Intl.DateTimeFormatOptions) => perLocale((tag) => new Intl.DateTimeFormat(tag, options));
const clockTime = dates({ hour: '2-digit', minute: '2-digit' });
const dayAndTime = dates({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
const wholeMoment = dates({ dateStyle: 'long', timeStyle: 'short' });
const distance = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));

const minute = 60_000;
const hour = 60 * minute;
const wholeDay = 24 * hour;

/** A moment as near as it matters: the time today, else with the day. Milliseconds since 1970. */
export function formatMoment(moment: number, now: number): string {
  const near = Math.abs(moment - now);
  if (near > 300 * wholeDay) return day().format(moment);
  return new Date(moment).toDateString() === new Date(now).toDateString()
    ? clockTime().format(moment)
    : dayAndTime().format(moment);
}

/** A moment with its day, month in words: "20 November 2026 at 14:05". Milliseconds since 1970. */
export function formatWhole(moment: number): string {
  return wholeMoment().format(moment);
}

/** How far away it is: "in 54 minutes", "3 days ago". */
export function formatDistance(moment: number, now: number): string {
  const away = moment - now;
  const size = Math.abs(away);
  if (size < 90 * minute) return distance().format(Math.round(away / minute), 'minute');
  if (size < 36 * hour) return distance().format(Math.round(away / hour), 'hour');
  return distance().format(Math.round(away / wholeDay), 'day');
}

/** Minutes and seconds, never below zero. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const lengthWith = (maximumFractionDigits: number) =>
  perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits }));
const [shortLength, longLength] = [lengthWith(0), lengthWith(1)];

/** How long something took: "12 ms", "0.4 s", "1:05". Nothing takes no time. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= minute) return formatCountdown(milliseconds);
  return milliseconds < 100
    ? `${shortLength().format(Math.max(1, milliseconds))}\u00a0ms`
    : `${longLength().format(milliseconds / 1_000)}\u00a0s`;
}

/** The time now, again after each `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

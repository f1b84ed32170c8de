import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { Language } from '../shared/choices.ts';
import { english } from '../shared/words/english.ts';
import type { Words } from '../shared/words/english.ts';

/**
 * Texts in the current language. Read them when rendering, not at module load: they change with the language, and
 * everything renders again then.
 */
export let words: Words = english;

function setWords(loaded: Words): void {
  words = loaded;
}

/** The window's language; `undefined` until its texts are loaded. Memoized components must subscribe to it. */
export const useLanguage = create<{ readonly language: Language | undefined }>()(() => ({ language: undefined }));

let requested: Language | undefined;

/**
 * Switches the language and renders everything again. Nothing is remounted, so input stays. If the texts cannot be
 * loaded, the language stays as it is.
 */
export async function setLanguage(language: Language): Promise<void> {
  requested = language;
  const loaded = await loadWords(language).catch(() => undefined);
  // Another language was requested meanwhile.
  if (requested !== language) return;
  const now = loaded ? language : (useLanguage.getState().language ?? 'en');
  if (loaded) setWords(loaded);
  setLocale(now);
  document.documentElement.lang = now;
  useLanguage.setState({ language: now });
}

/** German is loaded only when used. */
async function loadWords(language: Language): Promise<Words> {
  return language === 'de' ? (await import('../shared/words/german.ts')).german : english;
}

/** Used if the user has no regional variant of the language. */
const defaultLocales: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

/** Locale for dates, numbers and sorting: the user's regional variant of the current language. A BCP 47 tag. */
export let locale = defaultLocales.en;

function setLocale(language: Language): void {
  locale = navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? defaultLocales[language];
}

/** A formatter for the current locale, cached because creating one is slow. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  let made: { readonly locale: string; readonly format: Format } | undefined;
  return () => {
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}

const dates = (options: Intl.DateTimeFormatOptions) => perLocale((tag) => new Intl.DateTimeFormat(tag, options));
const clockTime = dates({ timeStyle: 'short' });
const dayAndTime = dates({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
const timeWithSeconds = dates({ timeStyle: 'medium' });
const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
const fullDate = dates({ dateStyle: 'long', timeStyle: 'short' });
const relative = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));

const minute = 60_000;
const hour = 60 * minute;
const wholeDay = 24 * hour;

/** The time if today, the day and time within 300 days, otherwise the date. Milliseconds since 1970. */
export function formatMoment(moment: number, now: number): string {
  const near = Math.abs(moment - now);
  if (near > 300 * wholeDay) return day().format(moment);
  return new Date(moment).toDateString() === new Date(now).toDateString()
    ? clockTime().format(moment)
    : dayAndTime().format(moment);
}

/** Full date and time, month in words: "November 20, 2026 at 2:05 PM". Milliseconds since 1970. */
export function formatFullDate(moment: number): string {
  return fullDate().format(moment);
}

/** Time with seconds: "2:05:30 PM". Milliseconds since 1970. */
export function formatTimeOfDay(moment: number): string {
  return timeWithSeconds().format(moment);
}

/** Relative time: "in 54 minutes", "3 days ago". */
export function formatRelative(moment: number, now: number): string {
  const away = moment - now;
  const size = Math.abs(away);
  if (size < 90 * minute) return relative().format(Math.round(away / minute), 'minute');
  if (size < 36 * hour) return relative().format(Math.round(away / hour), 'hour');
  return relative().format(Math.round(away / wholeDay), 'day');
}

/** Minutes and seconds, never below zero. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const numberFormat = (maximumFractionDigits: number) =>
  perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits }));
const [shortLength, longLength] = [numberFormat(0), numberFormat(1)];

/** Duration: "12 ms", "0.4 s", "1:05". Never zero. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= minute) return formatCountdown(milliseconds);
  return milliseconds < 100
    ? `${shortLength().format(Math.max(1, milliseconds))}\u00a0ms`
    : `${longLength().format(milliseconds / 1_000)}\u00a0s`;
}

/** The current time, updated every `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

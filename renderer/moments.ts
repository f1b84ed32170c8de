import { useEffect, useState } from 'react';
import { perLocale } from './words.ts';

const dates = (options: Intl.DateTimeFormatOptions) => perLocale((locale) => new Intl.DateTimeFormat(locale, options));
const clockTime = dates({ hour: '2-digit', minute: '2-digit' });
const dayAndTime = dates({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
const wholeMoment = dates({ dateStyle: 'long', timeStyle: 'short' });
const distance = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

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
  perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits }));
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

import { useEffect, useRef, useState } from 'react';
import type { ActivityView } from '../../shared/activity.ts';
import { activityBounds } from '../../shared/bounds.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { hasFailed } from '../../shared/status-words.ts';
import { postern } from '../postern.ts';
import { perLocale, words } from '../words.ts';

/**
 * Milliseconds between polls of the log files that the gateway processes write. Doubles while nothing new arrives, up
 * to the caller's `maxInterval`.
 */
const minInterval = 250;

export interface NumberedCall extends ActivityView {
  readonly number: number;
}

interface Activity {
  readonly first: number;
  readonly last: number;
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
}

const nothing: Activity = { first: 1, last: 0, calls: [] };

/** The newest calls, polled while `isLive` and the window is visible; `undefined` until the first read. */
export function useActivity(isLive: boolean, maxInterval = 1_000): readonly NumberedCall[] | undefined {
  const [activity, setActivity] = useState<Activity>();
  const latest = useRef<Activity>(undefined);
  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = minInterval;
    let isReading = false;
    let isStopped = false;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      // Skip while hidden: `visibilitychange` reads at once.
      if (isReading || (document.hidden && latest.current)) return;
      isReading = true;
      const before = latest.current ?? nothing;
      const result = await postern.activity.read({ after: before.last });
      isReading = false;
      if (isStopped) return;
      const isNew = !latest.current || (result.ok && !isSame(result.value, before));
      if (result.ok && isNew) {
        latest.current = addTo(before, result.value);
        setActivity(latest.current);
      }
      wait = isNew ? minInterval : Math.min(2 * wait, maxInterval);
      timer = setTimeout(() => void read(), wait);
    };
    const onVisible = (): void => {
      wait = minInterval;
      void read();
    };
    void read();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isLive, maxInterval]);
  return activity?.calls;
}

const isSame = (one: Pick<Activity, 'first' | 'last'>, other: Pick<Activity, 'first' | 'last'>): boolean =>
  one.first === other.first && one.last === other.last;

function addTo({ calls }: Activity, { first, last, calls: fresh }: IpcOutput<'activity:read'>): Activity {
  const numbered = fresh.map((call, index) => ({ ...call, number: last - fresh.length + 1 + index })).toReversed();
  const older = calls.filter(({ number }) => number >= first && number <= last - fresh.length);
  return { first, last, calls: [...numbered, ...older].slice(0, activityBounds.calls) };
}

/** The outcome in a word or two. */
export function describeOutcome({ outcome }: Pick<ActivityView, 'outcome'>): string {
  switch (outcome) {
    case 'ok':
    case 'toolError':
    case 'cancelled':
      return words.activity.short[outcome];
    default:
      return isNumber(outcome) ? words.activity.short.serverError : words.activity.short.failed;
  }
}

/** The outcome as a sentence. */
export function explainOutcome({ outcome, failure }: Pick<ActivityView, 'outcome' | 'failure'>): string {
  switch (outcome) {
    case 'ok':
    case 'toolError':
    case 'cancelled':
      return words.activity.long[outcome];
    default:
      if (isNumber(outcome)) return words.activity.long.serverError(outcome);
      return failure === undefined
        ? words.activity.code(outcome)
        : (words.errors.ofCode(failure.code) ?? failure.sentence);
  }
}

export function nameOfApp({ app, appName }: Pick<ActivityView, 'app' | 'appName'>): string {
  return appName ?? app ?? words.activity.unknownApp;
}

const dates = (options: Intl.DateTimeFormatOptions) => perLocale((locale) => new Intl.DateTimeFormat(locale, options));
const times = dates({ timeStyle: 'medium' });
const moments = dates({ dateStyle: 'medium', timeStyle: 'medium' });
const days = dates({ day: 'numeric', month: 'short' });

/** The time, plus the day unless it is today. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? times().format(at) : `${days().format(at)}, ${times().format(at)}`;
}

export function fullTime(at: number): string {
  return moments().format(at);
}

function isNumber(outcome: string): boolean {
  return /^-?\d/u.test(outcome);
}

export interface CallFilter {
  /** Empty: all apps. */
  readonly app: string;
  readonly server: string;
  readonly outcome: 'all' | 'failed';
  /** Part of a tool or method name. */
  readonly tool: string;
}

export const allCalls: CallFilter = { app: '', server: '', outcome: 'all', tool: '' };

export function filterCalls(calls: readonly NumberedCall[], filter: CallFilter): readonly NumberedCall[] {
  const { app, server, outcome } = filter;
  const tool = filter.tool.trim().toLocaleLowerCase('en');
  if (app === '' && server === '' && outcome === 'all' && tool === '') return calls;
  return calls.filter(
    (call) =>
      (app === '' || appOf(call) === app) &&
      (server === '' || serverOf(call) === server) &&
      (outcome === 'all' || hasFailed(call)) &&
      (tool === '' || (call.tool ?? call.method).toLocaleLowerCase('en').includes(tool)),
  );
}

/** All unregistered apps share one key. */
export function appOf({ app = '?' }: Pick<NumberedCall, 'app'>): string {
  return app;
}

/** The server's ID, or its logged name if it no longer exists. */
export function serverOf({ integration, server }: Pick<NumberedCall, 'integration' | 'server'>): string {
  return integration ?? `? ${server}`;
}

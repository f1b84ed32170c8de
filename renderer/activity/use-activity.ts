import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActivityView } from '../../shared/activity.ts';
import { activityBounds } from '../../shared/bounds.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { hasFailed, isActivity } from '../../shared/status-words.ts';
import { postern } from '../postern.ts';
import { recordTools, useListedTools } from '../store.ts';
import { retain, viewStateKey } from '../use-retained-state.ts';
import { show } from '../view.ts';
import { formatMoment, perLocale, words } from '../words.ts';

/** Milliseconds between polls of the log files that the gateway processes write. Doubles while nothing new arrives. */
const minInterval = 250;

export interface NumberedCall extends ActivityView {
  readonly number: number;
}

/** The tool's title, or what was requested instead of a tool. */
export type TitleOf = (call: Pick<ActivityView, 'integration' | 'method' | 'tool'>) => string;

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
  usePoll(isLive, maxInterval, async () => {
    const before = latest.current ?? nothing;
    const result = await postern.activity.read({ after: before.last });
    if (latest.current && (!result.ok || isSame(result.value, before))) return false;
    if (!result.ok) return true;
    latest.current = addTo(before, result.value);
    setActivity(latest.current);
    void loadTitles(latest.current.calls);
    return true;
  });
  return activity?.calls;
}

/**
 * Calls `read` while `isLive` and the window is visible. `read` resolves to whether anything was new; until then, the
 * interval grows up to `maxInterval` milliseconds.
 */
export function usePoll(isLive: boolean, maxInterval: number, read: () => Promise<boolean>): void {
  const current = useRef(read);
  current.current = read;
  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = minInterval;
    let isReading = false;
    let hasRead = false;
    let isStopped = false;
    const poll = async (): Promise<void> => {
      clearTimeout(timer);
      // Skip while hidden: `visibilitychange` reads at once.
      if (isReading || (document.hidden && hasRead)) return;
      isReading = true;
      const isNew = await current.current();
      isReading = false;
      hasRead = true;
      if (isStopped) return;
      wait = isNew ? minInterval : Math.min(2 * wait, maxInterval);
      timer = setTimeout(() => void poll(), wait);
    };
    const onVisible = (): void => {
      wait = minInterval;
      void poll();
    };
    void poll();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isLive, maxInterval]);
}

const isSame = (one: Pick<Activity, 'first' | 'last'>, other: Pick<Activity, 'first' | 'last'>): boolean =>
  one.first === other.first && one.last === other.last;

function addTo({ calls }: Activity, { first, last, calls: fresh }: IpcOutput<'activity:read'>): Activity {
  // The log has everything; only activity is shown.
  const numbered = fresh
    .map((call, index) => ({ ...call, number: last - fresh.length + 1 + index }))
    .filter(isActivity)
    .toReversed();
  const older = calls.filter(({ number }) => number >= first && number <= last - fresh.length);
  return { first, last, calls: [...numbered, ...older].slice(0, activityBounds.calls) };
}

/** Servers whose titles are loaded at once: the newest ones. */
const maxServers = 20;
const requested = new Set<string>();

/** Titles as last listed by any process, for servers whose tools this window has not listed. */
export async function loadTitles(calls: readonly Pick<ActivityView, 'integration' | 'tool'>[]): Promise<void> {
  const ids = new Set(calls.flatMap(({ integration, tool }) => (tool === undefined ? [] : (integration ?? []))));
  const isKnown = (id: string): boolean => requested.has(id) || useListedTools.getState()[id] !== undefined;
  for (const id of [...ids].slice(0, maxServers).filter((each) => !isKnown(each))) {
    requested.add(id);
    const known = await postern.integration.knownTools({ id });
    const tools = known.ok ? known.value.tools : [];
    if (tools.length > 0 && useListedTools.getState()[id] === undefined)
      recordTools(
        id,
        tools.map(({ name, title = name }) => ({ name, title })),
      );
  }
}

/** Tools have their title where it is known, and their name otherwise. */
export function useTitles(): TitleOf {
  const listed = useListedTools();
  return useCallback(
    ({ integration = '', method, tool }) =>
      tool === undefined
        ? (words.activity.methods[method] ?? method)
        : (listed[integration]?.find(({ name }) => name === tool)?.title ?? tool),
    [listed],
  );
}

/** The outcome in a word or two. */
export function describeOutcome({ outcome, failure }: Pick<ActivityView, 'outcome' | 'failure'>): string {
  if (failure?.decision) return words.activity.short[failure.decision === 'no' ? 'declined' : 'unanswered'];
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

/** The time with seconds, or another day with the time. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? times().format(at) : formatMoment(at, now);
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

/** Name of the activity page's filter among the retained states. */
export const filterKey = viewStateKey('activity');

/** Opens the activity page with the calls of one app on one server. */
export function showCalls(app: string, server: string): void {
  retain('page', filterKey, { ...allCalls, app, server });
  show({ name: 'activity' });
}

export function filterCalls(
  calls: readonly NumberedCall[],
  filter: CallFilter,
  titleOf?: TitleOf,
): readonly NumberedCall[] {
  const { app, server, outcome } = filter;
  const tool = filter.tool.trim().toLocaleLowerCase('en');
  if (app === '' && server === '' && outcome === 'all' && tool === '') return calls;
  return calls.filter(
    (call) =>
      (app === '' || appOf(call) === app) &&
      (server === '' || serverOf(call) === server) &&
      (outcome === 'all' || hasFailed(call)) &&
      (tool === '' ||
        [call.tool ?? call.method, titleOf?.(call) ?? ''].some((name) => name.toLocaleLowerCase('en').includes(tool))),
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

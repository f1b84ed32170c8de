import { useEffect, useRef, useState } from 'react';
import type { ActivityView } from '../../shared/activity.ts';
import { activityBounds } from '../../shared/bounds.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { hasFailed } from '../../shared/status-words.ts';
import { postern } from '../postern.ts';
import { perLocale, words } from '../words.ts';

/**
 * Milliseconds between two looks: whichever process serves programs notes their calls in files. Where nothing new is
 * found, the next one takes twice as long, up to what the page has said.
 */
const shortest = 250;

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

/** The newest calls, as they come while `isLive` and the window is in sight; `undefined` until they were read once. */
export function useActivity(isLive: boolean, longest = 1_000): readonly NumberedCall[] | undefined {
  const [activity, setActivity] = useState<Activity>();
  const held = useRef<Activity>(undefined);
  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = shortest;
    let isReading = false;
    let isOver = false;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      // Nobody sees it: it is read when somebody does.
      if (isReading || (document.hidden && held.current)) return;
      isReading = true;
      const before = held.current ?? nothing;
      const answer = await postern.activity.read({ after: before.last });
      isReading = false;
      if (isOver) return;
      const isNew = !held.current || (answer.ok && !isSame(answer.value, before));
      if (answer.ok && isNew) {
        held.current = addTo(before, answer.value);
        setActivity(held.current);
      }
      wait = isNew ? shortest : Math.min(2 * wait, longest);
      timer = setTimeout(() => void read(), wait);
    };
    const onVisible = (): void => {
      wait = shortest;
      void read();
    };
    void read();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isLive, longest]);
  return activity?.calls;
}

const isSame = (one: Pick<Activity, 'first' | 'last'>, other: Pick<Activity, 'first' | 'last'>): boolean =>
  one.first === other.first && one.last === other.last;

function addTo({ calls }: Activity, { first, last, calls: fresh }: IpcOutput<'activity:read'>): Activity {
  const numbered = fresh.map((call, index) => ({ ...call, number: last - fresh.length + 1 + index })).toReversed();
  const kept = calls.filter(({ number }) => number >= first && number <= last - fresh.length);
  return { first, last, calls: [...numbered, ...kept].slice(0, activityBounds.calls) };
}

/** How it ended, in a word or two. */
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

/** The same as a sentence. */
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

export function nameOfProgram({ program, programName }: Pick<ActivityView, 'program' | 'programName'>): string {
  return programName ?? program ?? words.activity.unknownProgram;
}

const dates = (options: Intl.DateTimeFormatOptions) => perLocale((locale) => new Intl.DateTimeFormat(locale, options));
const times = dates({ timeStyle: 'medium' });
const moments = dates({ dateStyle: 'medium', timeStyle: 'medium' });
const days = dates({ day: 'numeric', month: 'short' });

/** The time where it was today, else the day too. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? times().format(at) : `${days().format(at)}, ${times().format(at)}`;
}

export function wholeTime(at: number): string {
  return moments().format(at);
}

function isNumber(outcome: string): boolean {
  return /^-?\d/u.test(outcome);
}

export interface CallFilter {
  /** Empty: all of them. */
  readonly program: string;
  readonly server: string;
  readonly outcome: 'all' | 'failed';
  /** Part of the name of a tool or a method. */
  readonly tool: string;
}

export const everyCall: CallFilter = { program: '', server: '', outcome: 'all', tool: '' };

export function filterCalls(calls: readonly NumberedCall[], filter: CallFilter): readonly NumberedCall[] {
  const { program, server, outcome } = filter;
  const tool = filter.tool.trim().toLocaleLowerCase('en');
  if (program === '' && server === '' && outcome === 'all' && tool === '') return calls;
  return calls.filter(
    (call) =>
      (program === '' || programOf(call) === program) &&
      (server === '' || serverOf(call) === server) &&
      (outcome === 'all' || hasFailed(call)) &&
      (tool === '' || (call.tool ?? call.method).toLocaleLowerCase('en').includes(tool)),
  );
}

/** Of those that nobody has added, none is told from another. */
export function programOf({ program = '?' }: Pick<NumberedCall, 'program'>): string {
  return program;
}

/** By its id; one that is not there, by what it was called. */
export function serverOf({ integration, server }: Pick<NumberedCall, 'integration' | 'server'>): string {
  return integration ?? `? ${server}`;
}

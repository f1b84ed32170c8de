import { isErrorCode } from '../../shared/error-codes.ts';
import type { ActivityView } from '../../shared/activity-calls.ts';
import { perLocale } from '../locale.ts';
import { words } from '../words.ts';

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
      return isErrorCode(outcome) && failure !== undefined
        ? (words.errors.ofCode(outcome) ?? failure)
        : words.activity.code(outcome);
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

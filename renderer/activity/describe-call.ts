import { describeError } from '../../shared/error-catalogue.ts';
import { errorCodes } from '../../shared/error-codes.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { ActivityView } from '../../shared/activity-calls.ts';
import { words } from '../words.ts';

const { short, long } = words.activity;

/** How it ended, in a word or two. */
export function describeOutcome({ outcome }: Pick<ActivityView, 'outcome'>): string {
  switch (outcome) {
    case 'ok':
    case 'toolError':
    case 'cancelled':
      return short[outcome];
    default:
      return isNumber(outcome) ? short.serverError : short.failed;
  }
}

/** The same as a sentence. */
export function explainOutcome({ outcome }: Pick<ActivityView, 'outcome'>): string {
  switch (outcome) {
    case 'ok':
    case 'toolError':
    case 'cancelled':
      return long[outcome];
    default:
      if (isNumber(outcome)) return long.serverError(outcome);
      return isErrorCode(outcome) ? describeError(outcome, {}).message : words.activity.code(outcome);
  }
}

export function nameOfProgram({ program, programName }: Pick<ActivityView, 'program' | 'programName'>): string {
  return programName ?? program ?? words.activity.unknownProgram;
}

const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The time of today, else the day with it. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? times.format(at) : `${days.format(at)}, ${times.format(at)}`;
}

export function wholeTime(at: number): string {
  return moments.format(at);
}

function isNumber(outcome: string): boolean {
  return /^-?\d/u.test(outcome);
}

function isErrorCode(outcome: string): outcome is ErrorCode {
  return errorCodes.some((code) => code === outcome);
}

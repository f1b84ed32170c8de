import type { Blame } from '../blame.ts';
import type { CatalogueDetail } from '../error-detail.ts';
import type { ErrorFact } from '../error-facts.ts';
import type { AdviceKind, NetworkRemedy, Remedy } from '../remedy.ts';
import type { adviceWords, storageWords, waitingWords } from './german/advice-words.ts';

/** A member of what fills the sentences of errors. */
type Fact = keyof CatalogueDetail;

/** Some of them; any may be unknown. */
export type Detail<Name extends Fact> = Pick<CatalogueDetail, Name>;

/** One error: in our own words what happened, what a person can do, and whether trying again may help by itself. */
export interface CatalogueEntry<Name extends Fact = Fact> {
  /** Whose mistake it usually is; whoever makes an error and knows better sets `PosternError.blame`. */
  readonly blame: Blame;
  /** What callers go on by (`isAbout`). */
  readonly about?: readonly ErrorFact[];
  readonly message: string | ((detail: Detail<Name>) => string);
  /** Unless whoever made the error set another one (`PosternError.remedy`): nothing of the detail chooses a step. */
  readonly remedy: Remedy;
  /**
   * In its place where what the user typed is to blame although it usually is not for this code, or is not although it
   * usually is.
   */
  readonly otherwise?: Remedy;
  /** Unless the error says otherwise itself. */
  readonly retryable: boolean;
}

/**
 * `Name`: what may be told of this error, by its own sentence or by that of an error which it causes. The compiler holds
 * its makers to that.
 */
export function errorEntry<Name extends Fact = never>(entry: CatalogueEntry<Name>): CatalogueEntry<Name> {
  return entry;
}

export type DetailOf<Entry> = Entry extends CatalogueEntry<infer Name> ? Detail<Name> : never;

/** The host that a sentence is about, or words that do where none is known. */
export function hostOr({ host }: Detail<'host'>, otherwise: string): string {
  return host === undefined || host === '' ? otherwise : host;
}

/** `detail.scopes` as names in quotes, the first three of them, after `lead`; nothing where none is known. */
export function namedScopes({ scopes: names = [] }: Detail<'scopes'>, lead = ''): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 3).map((name) => `"${name.length > 40 ? `${name.slice(0, 39)}…` : name}"`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${lead}${shown.join(', ')}${more}`;
}

/** A moment of today on this computer's clock: `14:05:30`. `moment` in milliseconds since 1970. */
export function timeOfDay(moment: number): string {
  return new Date(moment).toLocaleTimeString('en-GB');
}

/** A day on this computer's clock: `20 November 2026`. `moment` in milliseconds since 1970. */
export function dayOf(moment: number): string {
  return new Date(moment).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** The error code of RFC 6749 that the sign-in service gave, in parentheses; nothing for one that is not known. */
export function namedError({ error }: Detail<'error'>): string {
  return error === undefined || error === 'unknown' ? '' : ` (code: ${error})`;
}

/** The status of an answer, in parentheses; nothing where none is known. */
export function answered({ status }: Detail<'status'>): string {
  return status === undefined ? '' : ` (it answered ${status})`;
}

/** The same for a service that is out of order: `(HTTP 503)`. An error under a status of success is none of HTTP. */
export function httpStatus({ status }: Detail<'status'>): string {
  return status === undefined || status < 400 ? '' : ` (HTTP ${status})`;
}

type Gaps = Readonly<Record<string, string | number>>;

/** A sentence of a step that has its German: the tables in `german/` have it by this one. */
export type Advice = keyof typeof adviceWords | keyof typeof storageWords | keyof typeof waitingWords;

/** A step that every surface says in these words; it names no command, flag or button. `values` fill its `{gaps}`. */
export function advise(kind: AdviceKind, sentence: Advice, values?: Gaps): NetworkRemedy {
  if (values === undefined) return { kind, advice: sentence };
  return { kind, advice: fillGaps(sentence, values), gaps: { sentence, values } };
}

export function fillGaps(sentence: string, values: Gaps): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (gap, name: string) => String(values[name] ?? gap));
}

/** To try again, after as many seconds as the service has asked for. */
export function waitAsTold(retryAfter?: number): NetworkRemedy {
  if (retryAfter === undefined) return advise('wait', 'Try again later.');
  if (retryAfter === 1) return advise('wait', 'Try again in a second.');
  return advise('wait', 'Try again in {seconds} seconds.', { seconds: retryAfter });
}

/** The user has typed none of it: only the service can correct what it publishes. */
export const fixDocument = advise('tell-owner', 'Only the server’s owner can fix this. Send them this message.');

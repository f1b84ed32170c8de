import type { CatalogueDetail } from '../error-detail.ts';
import type { Blame, ErrorFact } from '../error-facts.ts';
import type { AdviceKind, NetworkRemedy, PasteLines, Remedy } from '../remedy.ts';
import { adviceWords, fillGaps } from '../words/en/advice-words.ts';
import type { Advice } from '../words/en/advice-words.ts';

/** A member of what fills the sentences of errors. */
type Fact = keyof CatalogueDetail;

/** Facts that have a closed list of values in one error, which differs from that of another. */
type ClosedFacts = { readonly [Name in 'kind' | 'reason' | 'fault' | 'part']?: string };

/** Some of them; any may be unknown. `Closed`: the only values that some have. */
export type Detail<Name extends Fact, Closed extends ClosedFacts | undefined = undefined> = Pick<
  CatalogueDetail,
  Exclude<Name, keyof Closed>
> & { readonly [Closing in keyof Closed & string]?: Closed[Closing] | undefined };

/**
 * Makes a sentence of what is known. What crosses a process border is only known to be text, so a sentence also takes
 * what is none of its values (a method's parameter, to the compiler), and then says less.
 */
export type Sentence<Known> = { say(detail: Known): string }['say'];

/** One error: in our own words what happened, what a person can do, and whether trying again may help by itself. */
export interface CatalogueEntry<Name extends Fact = Fact, Closed extends ClosedFacts | undefined = undefined> {
  /** Whose mistake it usually is; whoever makes an error and knows better sets `PosternError.blame`. */
  readonly blame: Blame;
  /** What callers go on by (`isAbout`). */
  readonly about?: readonly ErrorFact[];
  readonly message: string | Sentence<Detail<Name, Closed>>;
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
 * its makers, and the sentences in other languages, to that, and to the values of `Closed`.
 */
export function errorEntry<Name extends Fact = never, Closed extends ClosedFacts | undefined = undefined>(
  entry: CatalogueEntry<Name, Closed>,
): CatalogueEntry<Name, Closed> {
  return entry;
}

export type DetailOf<Entry> = Entry extends CatalogueEntry<infer Name, infer Closed> ? Detail<Name, Closed> : never;

/** What a table says of `key`, or `otherwise` where nothing is known. */
export function sayOf<Words extends string | undefined>(
  table: Readonly<Record<string, string>>,
  key: string | undefined,
  otherwise: Words,
): string | Words {
  return (key !== undefined && Object.hasOwn(table, key) && table[key]) || otherwise;
}

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

/** A step that every surface says in these words; it names no command, flag or button. `values` fill its `{gaps}`. */
export function advise(
  kind: AdviceKind,
  advice: Advice,
  values?: Readonly<Record<string, string | number>>,
): NetworkRemedy {
  return { kind, advice, ...(values && { values }) };
}

type Advising = Extract<NetworkRemedy, { readonly advice: string }>;

/** The sentence of such a step, or of lines to paste, in English. */
export function adviceText(remedy: Advising | PasteLines): string {
  return remedy.kind === 'paste-lines' ? remedy.advice : fillGaps(adviceWords[remedy.advice], remedy.values);
}

/** To try again, after as many seconds as the service has asked for. */
export function waitAsTold(retryAfter?: number): NetworkRemedy {
  if (retryAfter === undefined) return advise('wait', 'tryAgainLater');
  if (retryAfter === 1) return advise('wait', 'tryAgainInASecond');
  return advise('wait', 'tryAgainInSeconds', { seconds: retryAfter });
}

/** The user has typed none of it: only the service can correct what it publishes. */
export const fixDocument = advise('tell-owner', 'onlyOwnerCanFix');

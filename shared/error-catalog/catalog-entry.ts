import type { CatalogDetail } from '../error-detail.ts';
import type { Blame, ErrorTrait } from '../error-traits.ts';
import type { AdviceKind, NetworkRemedy, PasteLines, Remedy } from '../remedy.ts';
import { adviceWords, fillPlaceholders } from '../words/en/advice-words.ts';
import type { Advice } from '../words/en/advice-words.ts';

/** A value that an error message may contain. */
type Fact = keyof CatalogDetail;

/** Facts whose allowed values differ from one error to the next. */
type ClosedFacts = { readonly [Name in 'kind' | 'reason' | 'fault' | 'part']?: string };

/** The facts of one error, each of which may be unknown. `Closed`: the allowed values of some. */
export type Detail<Name extends Fact, Closed extends ClosedFacts | undefined = undefined> = Pick<
  CatalogDetail,
  Exclude<Name, keyof Closed>
> & { readonly [Closing in keyof Closed & string]?: Closed[Closing] | undefined };

/**
 * Builds a message from the known facts. Details from another process are only known to be text, so it must also accept
 * unlisted values (a method's parameter is bivariant) and then say less.
 */
export type Sentence<Known> = { say(detail: Known): string }['say'];

/** One error: what happened, what the user can do, and whether a retry may help. */
export interface CatalogEntry<Name extends Fact = Fact, Closed extends ClosedFacts | undefined = undefined> {
  /** Whose mistake it usually is; `PosternError.blame` overrides it. */
  readonly blame: Blame;
  /** What callers branch on (`hasTrait`). */
  readonly traits?: readonly ErrorTrait[];
  readonly message: string | Sentence<Detail<Name, Closed>>;
  /** `PosternError.remedy` overrides it. The detail never chooses a remedy. */
  readonly remedy: Remedy;
  /** The remedy when the user's input is to blame although it usually is not for this code, or the other way around. */
  readonly otherwise?: Remedy;
  /** The error itself can override it. */
  readonly retryable: boolean;
}

/**
 * `Name`: the facts that this error, or one that it causes, may mention. The compiler holds the code that throws it,
 * and the other languages, to these names and to the values of `Closed`.
 */
export function errorEntry<Name extends Fact = never, Closed extends ClosedFacts | undefined = undefined>(
  entry: CatalogEntry<Name, Closed>,
): CatalogEntry<Name, Closed> {
  return entry;
}

/**
 * The usual causes of each error in `Errors`, most common first. They are in a constant of their own that only the
 * script for docs/errors.md imports, so that bundlers drop it.
 */
export type Causes<Errors> = Readonly<Record<keyof Errors, string>>;

export type DetailOf<Entry> = Entry extends CatalogEntry<infer Name, infer Closed> ? Detail<Name, Closed> : never;

/** The entry of `key`, or `otherwise` if there is none. */
export function textFor<Words extends string | undefined>(
  table: Readonly<Record<string, string>>,
  key: string | undefined,
  otherwise: Words,
): string | Words {
  return (key !== undefined && Object.hasOwn(table, key) && table[key]) || otherwise;
}

/** The host, or `otherwise` if it is unknown. */
export function hostOr({ host }: Detail<'host'>, otherwise: string): string {
  return host === undefined || host === '' ? otherwise : host;
}

/** The first three scopes in quotes, after a colon; empty if none are known. */
export function namedScopes({ scopes: names = [] }: Detail<'scopes'>): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 3).map((name) => `“${name.length > 40 ? `${name.slice(0, 39)}…` : name}”`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `: ${shown.join(', ')}${more}`;
}

/** Local time: `2:05:30 PM`. `moment` in milliseconds since 1970. */
export function timeOfDay(moment: number): string {
  return new Date(moment).toLocaleTimeString('en-US');
}

/** Local date: `November 20, 2026`. `moment` in milliseconds since 1970. */
export function dayOf(moment: number): string {
  return new Date(moment).toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** The OAuth error code (RFC 6749) in parentheses; empty for an unknown one. */
export function namedError({ error }: Detail<'error'>): string {
  return error === undefined || error === 'unknown' ? '' : ` (code: ${error})`;
}

/** The response status in parentheses: `(HTTP 503)`; empty if it is unknown. */
export function statusSuffix({ status }: Detail<'status'>): string {
  return status === undefined ? '' : ` (HTTP ${status})`;
}

/** Like `statusSuffix`, but empty for a success status: then HTTP is not what failed. */
export function httpStatus({ status }: Detail<'status'>): string {
  return status === undefined || status < 400 ? '' : ` (HTTP ${status})`;
}

/** A remedy with the same words on every surface: no commands, flags or buttons. `values` fill its `{gaps}`. */
export function advise(
  kind: AdviceKind,
  advice: Advice,
  values?: Readonly<Record<string, string | number>>,
): NetworkRemedy {
  return { kind, advice, ...(values && { values }) };
}

type AdviceRemedy = Extract<NetworkRemedy, { readonly advice: string }>;

/** The English text of such a remedy, or of lines to paste. */
export function adviceText(remedy: AdviceRemedy | PasteLines): string {
  return remedy.kind === 'paste-lines'
    ? remedy.advice
    : fillPlaceholders(adviceWords[remedy.advice], remedy.values, timeOfDay);
}

/** `retryAfter`: seconds, as the service asked for. */
export function waitRetryAfter(retryAfter?: number): NetworkRemedy {
  if (retryAfter === undefined) return advise('wait', 'tryAgainLater');
  if (retryAfter === 1) return advise('wait', 'tryAgainInASecond');
  return advise('wait', 'tryAgainInSeconds', { seconds: retryAfter });
}

/** Only the service can correct what it publishes; the user typed none of it. */
export const fixDocument = advise('contact-owner', 'onlyOwnerCanFix');

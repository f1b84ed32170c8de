import { setClock, tellOfNonces } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { ProofKey, ProvenRequest } from './proof-key.ts';

/**
 * What a server says about how to be authorized (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1), as it
 * said it.
 */
export interface TokenChallenge {
  /** `resource_metadata`: an address that nobody has checked yet. */
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
  /** Tokens that are bound to a key are taken; absent: bearer tokens alone are. */
  readonly dpop?: DpopChallenge;
}

interface DpopChallenge {
  readonly error?: string;
  /** How a proof may be signed, by the names of RFC 7518. Absent: not told. */
  readonly algs?: readonly string[];
  /** Bearer tokens are not taken. */
  readonly only?: true;
  /** For the first proof (RFC 9449 section 9). */
  readonly nonce?: string;
}

interface Scan {
  readonly text: string;
  position: number;
}

type Parameters = Map<string, string>;

/** Those that are about tokens, by scheme, each in the order in which they came. */
type Challenges = Readonly<Record<'bearer' | 'dpop', Parameters[]>>;

/**
 * The Bearer challenge of `WWW-Authenticate`, else its DPoP challenge; of several the first that names its metadata.
 * Other schemes are passed over. Broken headers give less, never an error, and the time is linear in their length
 * (RFC 9110 section 11.6.1; an unquoted address, single quotes, colons and a missing comma are common, and accepted).
 */
export function parseTokenChallenge(headers: Headers): TokenChallenge | undefined {
  // Quotes around all of it are a library's way of writing a value, and no quoted string.
  const text = (headers.get('www-authenticate') ?? '').replace(/^"([^"]*)"$/u, '$1');
  const challenges = parseChallenges(text);
  const bearer = preferred(challenges.bearer);
  const bound = preferred(challenges.dpop);
  const parameters = bearer ?? bound;
  if (parameters === undefined) return undefined;
  const resourceMetadata = parameters
    .get('resource_metadata')
    ?.trim()
    .replace(/^<(.*)>$|^'(.*)'$/u, '$1$2');
  // What is wrong with a token may be told under either scheme (RFC 9449 section 7.1).
  const scope = parameters.get('scope') || bound?.get('scope');
  const error = parameters.get('error') || bound?.get('error');
  return {
    ...(resourceMetadata && { resourceMetadata }),
    ...(scope && { scope }),
    ...(error && { error }),
    ...(bound && { dpop: readBound(bound, bearer === undefined, headers.get('dpop-nonce')) }),
  };
}

function preferred(challenges: readonly Parameters[]): Parameters | undefined {
  return challenges.find((one) => one.get('resource_metadata')) ?? challenges[0];
}

function readBound(parameters: Parameters, only: boolean, nonce: string | null): DpopChallenge {
  const error = parameters.get('error');
  const algs =
    parameters
      .get('algs')
      ?.split(' ')
      .filter((name) => name !== '') ?? [];
  return { ...(error && { error }), ...(algs.length > 0 && { algs }), ...(only && { only }), ...(nonce && { nonce }) };
}

/** The parameters of each. `name =` belongs to the challenge before it, a lone name begins another. */
function parseChallenges(text: string): Challenges {
  const scan: Scan = { text, position: 0 };
  const challenges: Challenges = { bearer: [], dpop: [] };
  const unnamed: Parameters = new Map();
  let current: Parameters | undefined = unnamed;
  for (;;) {
    take(scan, /[\s,;]*/y);
    if (scan.position >= text.length) break;
    const name = take(scan, /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y).toLowerCase();
    if (name === '') {
      skipElement(scan);
    } else if (take(scan, /\s*(?:=|:(?=\s*(?:["'<]|https?:\/\/)))\s*/y) !== '') {
      const value = takeValue(scan);
      // RFC 9110 section 11.2: a name occurs once; the first one counts, as a server in front may add its own after.
      if (value !== undefined && current?.has(name) === false) current.set(name, value);
    } else {
      take(scan, /\s*:/y);
      current = name === 'bearer' || name === 'dpop' ? new Map<string, string>() : undefined;
      if (current !== undefined) challenges[name === 'dpop' ? 'dpop' : 'bearer'].push(current);
    }
  }
  // No other scheme has this parameter.
  const isWithoutScheme = challenges.bearer.length + challenges.dpop.length === 0 && unnamed.has('resource_metadata');
  return isWithoutScheme ? { ...challenges, bearer: [unnamed] } : challenges;
}

/** `undefined` when a quote is never closed: then the value may have been cut. */
function takeValue(scan: Scan): string | undefined {
  // Not of HTTP, and with one reading alone: quotes of the other kind, and the marks around an address in prose.
  const other = take(scan, /'[^'",]*'(?=[\s,;]|$)|<[^<>\s",]*>(?=[\s,;]|$)/y);
  if (other !== '') return other.slice(1, -1);
  if (scan.text[scan.position] !== '"') return take(scan, /[^\s,"]*/y).replace(/;$/u, '');
  const quoted = take(scan, /"(?:[^"\\]|\\[^])*"/y);
  if (quoted !== '') return quoted.slice(1, -1).replace(/\\([^])/g, '$1');
  scan.position = scan.text.length;
  return undefined;
}

/** Past what is neither a name nor a separator, up to the next comma outside quotes. */
function skipElement(scan: Scan): void {
  while (scan.position < scan.text.length && scan.text[scan.position] !== ',') {
    if (scan.text[scan.position] === '"') takeValue(scan);
    else scan.position += 1;
  }
}

function take(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.position;
  const match = pattern.exec(scan.text)?.[0] ?? '';
  scan.position += match.length;
  return match;
}

/** `invalid`: it does not take the proof. `nonce`: it wants another one, with a nonce of its own. */
export type ProofRefusal = 'invalid' | 'nonce';

/** What an error says about a proof (RFC 9449 sections 5, 7.1 and 8); `undefined`: nothing. */
export function proofRefusalOf(error: string | undefined): ProofRefusal | undefined {
  if (error === 'invalid_dpop_proof') return 'invalid';
  return error === 'use_dpop_nonce' ? 'nonce' : undefined;
}

/**
 * How a request that was refused so is proven once more; `undefined`: not at all. The nonce that came with the answer is
 * what helps, else to do without one of before, which may not be known there any more.
 */
export function nextProof(
  key: ProofKey,
  { reader, url }: Pick<ProvenRequest, 'reader' | 'url'>,
  refusal: ProofRefusal | undefined,
  headers: Headers,
): { readonly nonce?: string } | undefined {
  const nonce = key.takeNonce(reader, url, headers);
  if (refusal === undefined) return undefined;
  if (nonce !== undefined) return { nonce };
  return refusal === 'invalid' && key.forgetNonce(reader, url) ? {} : undefined;
}

/** Milliseconds by which two clocks differ before a proof is refused for it: what services allow at most, as a rule. */
const tolerated = 60_000;

interface Refused {
  readonly stage: Stage;
  readonly host: string;
  /** Of the answer. */
  readonly headers: Headers;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * PROOF_REFUSED. A proof says when it was made (RFC 9449 section 11.1), so one of a wrong clock is refused: the answer's
 * `Date` tells whether that may be why (`first`: then waiting does not help).
 */
export function refusedProof(
  refusal: ProofRefusal,
  { stage, host, headers, clock }: Refused,
): { readonly error: PosternError; readonly first?: NetworkRemedy } {
  if (refusal === 'nonce') {
    const told = { stage, detail: { host, again: true }, remedy: tellOfNonces(host) };
    return { error: new PosternError('PROOF_REFUSED', told) };
  }
  const theirs = parseHttpDate(headers.get('date') ?? '') ?? clock.now();
  const first = Math.abs(theirs - clock.now()) > tolerated ? setClock(host) : undefined;
  return {
    error: new PosternError('PROOF_REFUSED', { stage, detail: { host }, remedy: first }),
    ...(first && { first }),
  };
}

/**
 * Seconds that a `Retry-After` header asks to wait (RFC 9110 section 10.2.3), at least one and at most an hour;
 * `undefined` when it says nothing usable. `now`: wall clock, milliseconds.
 * Of the three date forms only the one that servers may generate is read.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return clamp(Number(text));
  const at = parseHttpDate(text);
  return at === undefined ? undefined : clamp(Math.ceil((at - now) / 1000));
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, retryAfter.shortest), retryAfter.longest);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const httpDate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Milliseconds since 1970 of an IMF-fixdate (RFC 9110 section 5.6.7). */
function parseHttpDate(text: string): number | undefined {
  const match = httpDate.exec(text);
  if (match === null) return undefined;
  const [day, year, hour, minute, second] = [match[1], match[3], match[4], match[5], match[6]].map(Number);
  const month = months.indexOf(match[2] ?? '') + 1;
  if (month === 0 || day === undefined || year === undefined) return undefined;
  return (((daysSince1970(year, month, day) * 24 + (hour ?? 0)) * 60 + (minute ?? 0)) * 60 + (second ?? 0)) * 1000;
}

/** Days from 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

import { setClock, reportNonceLoop } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { ProofKey, ProofTarget } from './proof-key.ts';

/** A server's authorization challenge (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1), as sent. */
export interface TokenChallenge {
  /** `resource_metadata`: an unchecked address. */
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
  /** The server accepts DPoP-bound tokens. Absent: bearer tokens only. */
  readonly dpop?: DpopChallenge;
}

interface DpopChallenge {
  readonly error?: string;
  /** Accepted proof algorithms (RFC 7518 names). Absent: not stated. */
  readonly algs?: readonly string[];
  /** Bearer tokens are not accepted. */
  readonly only?: true;
  /** Nonce for the first proof (RFC 9449 section 9). */
  readonly nonce?: string;
}

interface Scan {
  readonly text: string;
  position: number;
}

type Parameters = Map<string, string>;

/** Token challenges by scheme, in the order received. */
type Challenges = Readonly<Record<'bearer' | 'dpop', Parameters[]>>;

/**
 * The Bearer challenge of `WWW-Authenticate`, otherwise its DPoP challenge; of several, the first that names resource
 * metadata. Other schemes are skipped. Malformed headers yield less, never an error, in linear time (RFC 9110 section
 * 11.6.1). Unquoted addresses, single quotes, colons and missing commas are common, and accepted.
 */
export function parseTokenChallenge(headers: Headers): TokenChallenge | undefined {
  // Some libraries quote the whole header value: that is not a quoted string.
  const text = (headers.get('www-authenticate') ?? '').replace(/^"([^"]*)"$/u, '$1');
  const challenges = parseChallenges(text);
  const bearer = pickChallenge(challenges.bearer);
  const bound = pickChallenge(challenges.dpop);
  const parameters = bearer ?? bound;
  if (parameters === undefined) return undefined;
  const resourceMetadata = parameters
    .get('resource_metadata')
    ?.trim()
    .replace(/^<(.*)>$|^'(.*)'$/u, '$1$2');
  // A token error may come under either scheme (RFC 9449 section 7.1).
  const scope = parameters.get('scope') || bound?.get('scope');
  const error = parameters.get('error') || bound?.get('error');
  return {
    ...(resourceMetadata && { resourceMetadata }),
    ...(scope && { scope }),
    ...(error && { error }),
    ...(bound && { dpop: readDpopChallenge(bound, bearer === undefined, headers.get('dpop-nonce')) }),
  };
}

function pickChallenge(challenges: readonly Parameters[]): Parameters | undefined {
  return challenges.find((challenge) => challenge.get('resource_metadata')) ?? challenges[0];
}

function readDpopChallenge(parameters: Parameters, only: boolean, nonce: string | null): DpopChallenge {
  const error = parameters.get('error');
  const algs =
    parameters
      .get('algs')
      ?.split(' ')
      .filter((name) => name !== '') ?? [];
  return { ...(error && { error }), ...(algs.length > 0 && { algs }), ...(only && { only }), ...(nonce && { nonce }) };
}

/** The parameters of each challenge. `name =` belongs to the challenge before it; a bare name starts a new one. */
function parseChallenges(text: string): Challenges {
  const scan: Scan = { text, position: 0 };
  const challenges: Challenges = { bearer: [], dpop: [] };
  const unnamed: Parameters = new Map();
  let current: Parameters | undefined = unnamed;
  for (;;) {
    consume(scan, /[\s,;]*/y);
    if (scan.position >= text.length) break;
    const name = consume(scan, /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y).toLowerCase();
    if (name === '') {
      skipElement(scan);
    } else if (consume(scan, /\s*(?:=|:(?=\s*(?:["'<]|https?:\/\/)))\s*/y) !== '') {
      const value = readValue(scan);
      // RFC 9110 section 11.2: a name occurs once. The first counts: a proxy in front may append its own.
      if (value !== undefined && current?.has(name) === false) current.set(name, value);
    } else {
      consume(scan, /\s*:/y);
      current = name === 'bearer' || name === 'dpop' ? new Map<string, string>() : undefined;
      if (current !== undefined) challenges[name === 'dpop' ? 'dpop' : 'bearer'].push(current);
    }
  }
  // Only these schemes have `resource_metadata`, so the scheme name was left out.
  const isWithoutScheme = challenges.bearer.length + challenges.dpop.length === 0 && unnamed.has('resource_metadata');
  return isWithoutScheme ? { ...challenges, bearer: [unnamed] } : challenges;
}

/** `undefined` if a quote is never closed: the value may be truncated. */
function readValue(scan: Scan): string | undefined {
  // Not valid HTTP, but unambiguous: single quotes, and angle brackets around an address.
  const other = consume(scan, /'[^'",]*'(?=[\s,;]|$)|<[^<>\s",]*>(?=[\s,;]|$)/y);
  if (other !== '') return other.slice(1, -1);
  if (scan.text[scan.position] !== '"') return consume(scan, /[^\s,"]*/y).replace(/;$/u, '');
  const quoted = consume(scan, /"(?:[^"\\]|\\[^])*"/y);
  if (quoted !== '') return quoted.slice(1, -1).replace(/\\([^])/g, '$1');
  scan.position = scan.text.length;
  return undefined;
}

/** Skips what is neither a name nor a separator, up to the next comma outside quotes. */
function skipElement(scan: Scan): void {
  while (scan.position < scan.text.length && scan.text[scan.position] !== ',') {
    if (scan.text[scan.position] === '"') readValue(scan);
    else scan.position += 1;
  }
}

function consume(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.position;
  const match = pattern.exec(scan.text)?.[0] ?? '';
  scan.position += match.length;
  return match;
}

/** `invalid`: the proof is not accepted. `nonce`: the server demands a proof with its nonce. */
export type ProofRefusal = 'invalid' | 'nonce';

/** What an error code says about a proof (RFC 9449 sections 5, 7.1 and 8); `undefined`: nothing. */
export function readProofRefusal(error: string | undefined): ProofRefusal | undefined {
  if (error === 'invalid_dpop_proof') return 'invalid';
  return error === 'use_dpop_nonce' ? 'nonce' : undefined;
}

/**
 * The nonce for one more proof after a refusal; `undefined`: do not retry. Uses the nonce that came with the response,
 * else none at all, since the server may no longer know an earlier nonce.
 */
export function nextProof(
  key: ProofKey,
  { recipient, url }: Pick<ProofTarget, 'recipient' | 'url'>,
  refusal: ProofRefusal | undefined,
  headers: Headers,
): { readonly nonce?: string } | undefined {
  const nonce = key.saveNonce(recipient, url, headers);
  if (refusal === undefined) return undefined;
  if (nonce !== undefined) return { nonce };
  return refusal === 'invalid' && key.forgetNonce(recipient, url) ? {} : undefined;
}

/** Milliseconds of clock difference beyond which a proof may be refused: the most that services usually allow. */
const allowedClockSkew = 60_000;

interface RefusalContext {
  readonly stage: Stage;
  readonly host: string;
  /** Of the response. */
  readonly headers: Headers;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * PROOF_REFUSED. A proof has a timestamp (RFC 9449 section 11.1), so a wrong clock gets it refused: the `Date` of the
 * response shows whether that may be the reason (`first`: set the clock, waiting does not help).
 */
export function proofRefusedError(
  refusal: ProofRefusal,
  { stage, host, headers, clock }: RefusalContext,
): { readonly error: PosternError; readonly first?: NetworkRemedy } {
  if (refusal === 'nonce') {
    const errorOptions = { stage, detail: { host, again: true }, remedy: reportNonceLoop(host) };
    return { error: new PosternError('PROOF_REFUSED', errorOptions) };
  }
  const serverTime = parseHttpDate(headers.get('date') ?? '') ?? clock.now();
  const first = Math.abs(serverTime - clock.now()) > allowedClockSkew ? setClock(host) : undefined;
  return {
    error: new PosternError('PROOF_REFUSED', { stage, detail: { host }, remedy: first }),
    ...(first && { first }),
  };
}

/**
 * Seconds from a `Retry-After` header (RFC 9110 section 10.2.3), clamped to one second to one hour; `undefined` if
 * unusable. `now`: wall clock, milliseconds. Of the three date formats, reads only the one that servers may generate.
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

/** Days since 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

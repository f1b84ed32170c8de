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

export interface DpopChallenge {
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
 * (RFC 9110 section 11.6.1; an unquoted address, single quotes and a missing comma are common, and accepted).
 */
export function parseTokenChallenge(headers: Headers): TokenChallenge | undefined {
  const challenges = parseChallenges(headers.get('www-authenticate') ?? '');
  const bearer = preferred(challenges.bearer);
  const bound = preferred(challenges.dpop);
  const parameters = bearer ?? bound;
  if (parameters === undefined) return undefined;
  const resourceMetadata = parameters.get('resource_metadata');
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
  let current: Parameters | undefined;
  for (;;) {
    take(scan, /[\s,;]*/y);
    if (scan.position >= text.length) return challenges;
    const name = take(scan, /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y).toLowerCase();
    if (name === '') {
      skipElement(scan);
    } else if (take(scan, /\s*=\s*/y) !== '') {
      const value = takeValue(scan);
      // RFC 9110 section 11.2: a name occurs once; the first one counts, as a server in front may add its own after.
      if (value !== undefined && current?.has(name) === false) current.set(name, value);
    } else {
      current = name === 'bearer' || name === 'dpop' ? new Map<string, string>() : undefined;
      if (current !== undefined) challenges[name === 'dpop' ? 'dpop' : 'bearer'].push(current);
    }
  }
}

/** `undefined` when a quote is never closed: then the value may have been cut. */
function takeValue(scan: Scan): string | undefined {
  // Not of HTTP, and with one reading alone: quotes of the other kind, and the marks around an address in prose.
  const other = take(scan, /'[^'",]*'(?=[\s,;]|$)|<[^<>\s",]*>(?=[\s,;]|$)/y);
  if (other !== '') return other.slice(1, -1);
  if (scan.text[scan.position] !== '"') return take(scan, /[^\s,"]*/y);
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

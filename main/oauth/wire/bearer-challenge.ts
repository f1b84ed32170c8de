/** What a server says about how to be authorized (RFC 6750 section 3, RFC 9728 section 5.1), as it said it. */
export interface BearerChallenge {
  /** `resource_metadata`: an address that nobody has checked yet. */
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

interface Scan {
  readonly text: string;
  position: number;
}

type Parameters = Map<string, string>;

/**
 * The Bearer challenge of `WWW-Authenticate`; of several the first that names its metadata. Other schemes, DPoP too,
 * are passed over. Broken headers give less, never an error, and the time is linear in their length
 * (RFC 9110 section 11.6.1; an unquoted address and a missing comma are common, and accepted).
 */
export function parseBearerChallenge(headers: Headers): BearerChallenge | undefined {
  const bearers = parseChallenges(headers.get('www-authenticate') ?? '');
  const parameters = bearers.find((one) => one.get('resource_metadata')) ?? bearers[0];
  if (parameters === undefined) return undefined;
  const resourceMetadata = parameters.get('resource_metadata');
  const scope = parameters.get('scope');
  const error = parameters.get('error');
  return { ...(resourceMetadata && { resourceMetadata }), ...(scope && { scope }), ...(error && { error }) };
}

/** The parameters of each Bearer challenge. `name =` belongs to the challenge before it, a lone name begins another. */
function parseChallenges(text: string): Parameters[] {
  const scan: Scan = { text, position: 0 };
  const bearers: Parameters[] = [];
  let current: Parameters | undefined;
  for (;;) {
    take(scan, /[\s,]*/y);
    if (scan.position >= text.length) return bearers;
    const name = take(scan, /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y).toLowerCase();
    if (name === '') {
      skipElement(scan);
    } else if (take(scan, /\s*=\s*/y) !== '') {
      const value = takeValue(scan);
      // RFC 9110 section 11.2: a name occurs once; the first one counts, as a server in front may add its own after.
      if (value !== undefined && current?.has(name) === false) current.set(name, value);
    } else {
      current = name === 'bearer' ? new Map() : undefined;
      if (current !== undefined) bearers.push(current);
    }
  }
}

/** `undefined` when a quote is never closed: then the value may have been cut. */
function takeValue(scan: Scan): string | undefined {
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

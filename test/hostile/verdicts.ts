import type { ErrorCode } from '../../shared/error-codes.ts';

/** `CODE`, or `CODE < CAUSE` if a specific code is behind an outer one. */
export type Outcome = ErrorCode | `${ErrorCode} < ${ErrorCode}`;

/** The outcome of each behavior at each endpoint. A change here changes what users read. */
export interface Verdicts {
  readonly prm: Outcome;
  readonly asm: Outcome;
  readonly register: Outcome;
  readonly token: Outcome;
  readonly refresh: Outcome;
  /** At the MCP server, once signed in. */
  readonly tools?: Outcome;
}

/** A failure of the exchange itself: it has one name wherever it occurs. */
const everywhere = (code: ErrorCode): Verdicts => ({
  prm: code,
  asm: code,
  register: `DCR_UNSUPPORTED < ${code}`,
  token: code,
  refresh: `REFRESH_TRANSIENT < ${code}`,
  tools: code,
});

const late = everywhere('DEADLINE');
const tooLarge: Verdicts = { ...everywhere('BODY_TOO_LARGE'), tools: 'RESULT_TOO_LARGE' };
const encoded = everywhere('BODY_ENCODING');
const longFields = everywhere('HEADERS_TOO_LARGE');
const elsewhere = everywhere('REDIRECT_REFUSED');
const brokenOff = everywhere('CONNECT_FAIL');

/** An unreadable or unusable document, and its outcome at the token endpoint. */
const document = (code: ErrorCode, token: Outcome): Verdicts => ({
  prm: code,
  asm: code,
  register: 'DCR_UNSUPPORTED < DCR_RESPONSE_INVALID',
  token,
  refresh: `REFRESH_TRANSIENT < ${token.split(' < ')[0] as ErrorCode}`,
  tools: 'MCP_FAILED',
});

const unreadable = document('JSON_INVALID', 'TOKEN_RESPONSE_INVALID < JSON_INVALID');
const foreign = document('SCHEMA_INVALID', 'SCHEMA_INVALID');

/** An unknown error format of the server's own. */
const refusal = (register: Outcome, token: Outcome, refresh: Outcome, asm: Outcome = 'ASM_MISSING'): Verdicts => ({
  prm: 'PRM_MISSING',
  asm,
  register,
  token,
  refresh,
  tools: 'MCP_FAILED',
});

const rejected = 'DCR_UNSUPPORTED < DCR_REJECTED';
const unavailable = 'DCR_UNSUPPORTED < REG_UNAVAILABLE';

/** It has an error of its own, or asks to wait. */
const outage = (token: Outcome, refresh: Outcome): Verdicts => ({
  ...refusal(unavailable, token, refresh, 'ASM_UNAVAILABLE'),
  prm: 'MCP_FAILED',
});

const withoutTools = ({ tools: _tools, ...others }: Verdicts): Verdicts => others;

export const verdicts: Readonly<Record<string, Verdicts>> = {
  drip: late,
  silence: late,
  endlessContinue: late,
  endlessBody: tooLarge,
  largeBody: tooLarge,
  gzipBomb: encoded,
  doubleGzipBomb: encoded,
  longHeader: longFields,
  manyHeaders: longFields,
  longStatusLine: longFields,
  reset: brokenOff,
  halfClose: brokenOff,
  garbage: brokenOff,
  redirectElsewhere: elsewhere,
  foundElsewhere: elsewhere,
  redirectLoop: { ...elsewhere, prm: 'REDIRECT_LOOP', asm: 'REDIRECT_LOOP' },
  redirectDown: { ...everywhere('URL_DOWNGRADE'), refresh: 'URL_DOWNGRADE' },
  redirectToFile: elsewhere,
  redirectToMetadata: elsewhere,
  webPage: document('CONTENT_TYPE', 'TOKEN_RESPONSE_INVALID < CONTENT_TYPE'),
  emptyBody: unreadable,
  truncatedJson: unreadable,
  // At an MCP server an array is a message.
  jsonArray: withoutTools(document('SCHEMA_INVALID', 'TOKEN_RESPONSE_INVALID')),
  jsonNull: document('SCHEMA_INVALID', 'TOKEN_RESPONSE_INVALID'),
  deepJson: document('JSON_DEPTH', 'JSON_DEPTH'),
  doubledMembers: {
    ...document('JSON_DUPLICATE_KEY', 'JSON_DUPLICATE_KEY'),
    register: 'DCR_UNSUPPORTED < JSON_DUPLICATE_KEY',
  },
  wideCharacters: unreadable,
  invalidUtf8: unreadable,
  loneSurrogate: foreign,
  prototypeKeys: foreign,
  serverFault: outage('TOKEN_SERVER_ERROR', 'REFRESH_TRANSIENT < TOKEN_SERVER_ERROR'),
  busy: outage('TOKEN_RATE_LIMITED', 'REFRESH_TRANSIENT < TOKEN_RATE_LIMITED'),
  talkingError: refusal(rejected, 'TOKEN_ERROR', 'REFRESH_TRANSIENT < TOKEN_ERROR'),
  unknownError: refusal(rejected, 'TOKEN_ERROR', 'REFRESH_TRANSIENT < TOKEN_ERROR'),
  brokenChallenge: {
    ...refusal(rejected, 'TOKEN_ERROR', 'SIGN_IN_REQUIRED < CLIENT_REJECTED'),
    tools: 'TOKEN_REJECTED',
  },
};

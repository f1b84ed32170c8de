import { putHttpsInFront } from '../../shared/error-catalog/address-errors.ts';
import { requestLess } from '../../shared/error-catalog/call-errors.ts';
import { waitRetryAfter } from '../../shared/error-catalog/catalog-entry.ts';
import { remedyForNonMcp, suggestNewTransport } from '../../shared/error-catalog/connection-errors.ts';
import { wrongIssuer } from '../../shared/error-catalog/discovery-errors.ts';
import { networkFaults, remedyOfFault, useAddress } from '../../shared/error-catalog/network-errors.ts';
import {
  afterAuthorizationRefusal,
  afterTokenRefusal,
  reportRejectedRegistration,
} from '../../shared/error-catalog/sign-in-errors.ts';
import { storageRemedies } from '../../shared/error-catalog/storage-errors.ts';
import { errorCatalog } from '../../shared/error-codes.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { CatalogDetail } from '../../shared/error-detail.ts';
import { oauthErrors } from '../../shared/oauth.ts';
import type { Remedy } from '../../shared/remedy.ts';

const callbackUrl = 'http://127.0.0.1:4711/integration/oauth/callback';

/** Details that change the sentence of an error. */
export const errorDetails: readonly CatalogDetail[] = [
  {},
  { host: 'mcp.example', file: 'vault', hosts: ['a.example', 'b.example'], retryAt: 1_800_000_000_000 },
  { status: 503, from: 'a', to: 'b' },
  { status: 400, error: 'invalid_grant', retryAt: 1_800_000_000_000 },
  { status: 403 },
  { status: 413 },
  ...['inside', 'other-host', 'not-web', 'no-scheme'].map((reason) => ({ reason, host: 'idp.corp' })),
  ...networkFaults.flatMap((fault) => [{ fault }, { fault, proxy: 'proxy.example:3128' }]),
  ...networkFaults.map((fault) => ({ fault, passing: true })),
  { passing: true, retryAt: 1_800_000_000_000 },
  ...[
    'invalid_scope',
    'invalid_request',
    'invalid_target',
    'invalid_client',
    'unauthorized_client',
    'server_error',
  ].map((error) => ({ error })),
  { member: 'token_endpoint', publisher: 'auth.example:8443' },
  { holder: 'serve', process: 4_711 },
  { holder: 'window' },
  { count: 3, candidates: ['“Notes” (a1)', '“Notes 2” (b2)'] },
  { variables: ['HTTPS_PROXY'], missing: 'libsecret' },
  { named: true, access: 'lives', scopeAnswer: 'refused' },
  { tool: 'search', target: 'other.example', was: 'old.example' },
  ...['local', 'bridge'].map((kind) => ({ kind, address: 'https://mcp.example/mcp' })),
  ...['missing', 'no-list', 'before-release', 'not-a-file', 'owner', 'owner-above'].map((reason) => ({
    reason,
    folder: '/home/a',
  })),
  { app: 'Cursor', format: 'JSON', unknown: true },
  ...['outside', 'large'].map((reason) => ({ reason, app: 'Cursor', file: '/home/a/.cursor/mcp.json' })),
];

const faultRemedies = networkFaults.flatMap((fault) =>
  (['http', 'https', 'proxy'] as const).flatMap((at) =>
    [true, false].map((isTyped) => remedyOfFault(fault, at, isTyped)),
  ),
);
const until = 1_800_000_000_000;
const refusals = [...oauthErrors, 'unknown'] as const;

/** Remedies that error constructors set instead of the catalog's. */
const setRemedies: Partial<Record<ErrorCode, readonly Remedy[]>> = {
  URL_INVALID: [putHttpsInFront],
  URL_SCHEME: [{ kind: 'allow-local', because: 'not-encrypted' }, { kind: 'allow-http' }],
  URL_COMMAND: [
    { kind: 'give-address', starts: true, local: false },
    { kind: 'give-address', starts: false, address: 'https://mcp.example/mcp', local: false },
    { kind: 'give-address', starts: false, address: 'http://localhost:3000/mcp', local: true },
  ],
  HOST_BLOCKED: [
    { kind: 'allow-local', because: 'blocked' },
    { kind: 'allow-host', host: 'idp.corp' },
  ],
  HOST_NOT_AGREED: [{ kind: 'agree-to-hosts', hosts: ['a.example', 'b.example'] }],
  ...Object.fromEntries(
    ['DNS_FAIL', 'TLS_FAIL', 'CONNECT_FAIL', 'PROXY_FAIL', 'DEADLINE'].map((code) => [code, faultRemedies]),
  ),
  REDIRECT_REFUSED: [useAddress('https://mcp.example/mcp')],
  ASM_MISSING: [{ kind: 'type-endpoints' }],
  ISSUER_MISMATCH: Object.values(wrongIssuer),
  DEMAND_UNMET: [{ kind: 'type-undemanding-credentials', callbackUrl }],
  DCR_UNSUPPORTED: [
    { kind: 'type-credentials', callbackUrl, documents: false },
    ...[waitRetryAfter(60), remedyOfFault('refused', 'https', false)].flatMap((first): Remedy[] => [
      { kind: 'type-credentials', callbackUrl, documents: false, after: { first } },
      { kind: 'type-credentials', callbackUrl, documents: false, after: { first, until } },
    ]),
  ],
  CREDENTIALS_REQUIRED: [{ kind: 'type-credentials', callbackUrl, documents: true }],
  CLIENT_REJECTED: [{ kind: 'correct-credentials', callbackUrl }],
  REG_UNAVAILABLE: [waitRetryAfter(60)],
  STATE_EXPIRED: [{ kind: 'start-again', tooShort: true }],
  AS_ERROR: refusals.map((error) => afterAuthorizationRefusal(error).remedy),
  TOKEN_ERROR: [...refusals.map(afterTokenRefusal), reportRejectedRegistration('sign.example')],
  TOKEN_RATE_LIMITED: [waitRetryAfter(60)],
  SIGN_IN_REQUIRED: [{ kind: 'sign-in', access: 'lives' }],
  SCOPE_REQUIRED: [{ kind: 'grant-scopes', answered: true }],
  MCP_FAILED: [403, 413, 429, 503].flatMap((status) =>
    [remedyForNonMcp(status), remedyForNonMcp(status, until)].filter((remedy) => remedy !== undefined),
  ),
  OLD_TRANSPORT: [suggestNewTransport('https://mcp.example/mcp')],
  RESULT_TOO_LARGE: [requestLess],
  REFRESH_TRANSIENT: [undefined, ...networkFaults.map((fault) => remedyOfFault(fault, 'https', false))].flatMap(
    (first): Remedy[] => [
      { kind: 'await-renewal', first, resting: 'sign.example', mayLast: false },
      { kind: 'await-renewal', first, until, mayLast: true },
      { kind: 'await-renewal', first, until, resting: 'sign.example', mayLast: true },
    ],
  ),
  KC_UNAVAILABLE: [storageRemedies.otherKeychain, storageRemedies.unreachable],
  KC_LOCKED: [storageRemedies.keyMissing],
  CFG_CORRUPT: [
    { kind: 'fix-settings', missing: true, copy: false },
    { kind: 'fix-settings', missing: false, copy: true },
  ],
  CFG_SHARED: [storageRemedies.foreignFolder],
  CFG_READONLY: [storageRemedies.notAFile],
  APP_NAME_TAKEN: [{ kind: 'choose-entry-name', free: 'notes-2' }],
};

/** Every remedy that an error with `code` may have, without duplicates. */
export function remediesOf(code: ErrorCode): readonly Remedy[] {
  const { remedy, otherwise } = errorCatalog[code];
  const found = [remedy, ...(otherwise ? [otherwise] : []), ...(setRemedies[code] ?? [])];
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

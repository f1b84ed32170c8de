import type { CatalogueDetail } from '../../shared/error-catalogue/catalogue-entry.ts';
import { putHttpsInFront } from '../../shared/error-catalogue/address-errors.ts';
import { describeError } from '../../shared/error-catalogue.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { networkFaults } from '../../shared/network-fault.ts';
import type { Remedy } from '../../shared/remedy.ts';

const callbackUrl = 'http://127.0.0.1:4711/integration/oauth/callback';

/** Whatever changes the words or the remedy of an error. */
export const errorDetails: readonly CatalogueDetail[] = [
  {},
  { host: 'mcp.example', callbackUrl, file: 'vault', hosts: 'a.example b.example', retryAt: 1_800_000_000_000 },
  { status: 503, retryAfter: 60, from: 'a', to: 'b' },
  { status: 400, error: 'invalid_grant', retryAt: 1_800_000_000_000 },
  { status: 403 },
  ...['inside', 'other-host', 'not-web', 'no-scheme'].map((reason) => ({ reason, host: 'idp.corp' })),
  ...networkFaults.flatMap((fault) => [{ fault }, { fault, scheme: 'http' }, { fault, proxy: 'proxy.example:3128' }]),
  ...networkFaults.map((fault) => ({ fault, passing: 1 })),
  { passing: 1, retryAfter: 60, retryAt: 1_800_000_000_000 },
  ...[
    'invalid_scope',
    'invalid_request',
    'invalid_target',
    'invalid_client',
    'unauthorized_client',
    'server_error',
  ].map((error) => ({ error })),
  { error: 'invalid_client', registered: 1 },
  { documents: 1, named: 1, client: 1, limit: 'chosen', access: 'lives', scopeAnswer: 'refused' },
  { tool: 'search', newer: 'https://mcp.example/mcp', target: 'other.example', was: 'old.example' },
  ...['local', 'bridge'].map((kind) => ({ kind, address: 'https://mcp.example/mcp', local: 1 })),
  ...['missing', 'no-list', 'not-a-file', 'owner', 'owner-above'].map((reason) => ({ reason, folder: '/home/a' })),
  { program: 'Cursor', format: 'JSON', free: 'notes-2', backup: '/home/a/backups/cursor/1-mcp.json', unknown: 1 },
  ...['outside', 'large'].map((reason) => ({ reason, program: 'Cursor', file: '/home/a/.cursor/mcp.json' })),
  { copy: 'config.last-good.json', reason: 'missing' },
];

/** What the makers of errors set in place of the catalogue's remedy. */
const setRemedies: Partial<Record<ErrorCode, readonly Remedy[]>> = {
  URL_INVALID: [putHttpsInFront],
  URL_SCHEME: [{ kind: 'allow-local', because: 'not-encrypted' }, { kind: 'allow-http' }],
  HOST_BLOCKED: [
    { kind: 'allow-local', because: 'blocked' },
    { kind: 'allow-host', host: 'idp.corp' },
  ],
};

/** Every remedy that an error of `code` may carry, once each. */
export function remediesOf(code: ErrorCode): readonly Remedy[] {
  const found = [...errorDetails.map((detail) => describeError(code, detail).remedy), ...(setRemedies[code] ?? [])];
  return [...new Map(found.map((remedy) => [JSON.stringify(remedy), remedy])).values()];
}

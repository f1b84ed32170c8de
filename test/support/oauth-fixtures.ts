import { createAddressPolicy } from '../../main/address/check-address.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { AuthorizationRequest } from '../../main/oauth/authorization/authorization-request.ts';
import { validateAuthorizationResponse } from '../../main/oauth/authorization/authorization-response.ts';
import type { AuthorizationCode } from '../../main/oauth/authorization/authorization-response.ts';
import type { ClientCredentials } from '../../main/oauth/client/client-credentials.ts';
import type { TokenSet } from '../../main/oauth/token/token-set.ts';
import type { Random } from '../../main/ports.ts';
import { Secret } from '../../main/secret.ts';
import { asChecked } from './as-checked.ts';
import { createFakeClock } from './fake-clock.ts';

/** The time of the requests below. */
export const start = Date.UTC(2026, 0, 1);

/** Bytes that increase from call to call, so that no two values are equal. */
export function countingRandom(): Random {
  let next = 0;
  return { bytes: (length) => Uint8Array.from({ length }, () => next++ % 256) };
}

export const issuer = 'https://as.example';
export const tokenEndpoint = 'https://as.example/token';
export const redirectUri = 'http://127.0.0.1:4711/integration/oauth/callback';
export const state = 'p'.repeat(43);

export const policy = createAddressPolicy({
  url: 'https://mcp.example/mcp',
  local: false,
  allowedHosts: [],
  allowHttp: false,
});

export function clientCredentials(over: Partial<ClientCredentials> = {}): ClientCredentials {
  return {
    clientId: 'client-1',
    clientSecret: new Secret('secret-1'),
    source: 'registered',
    issuerKey: issuer,
    redirectUri,
    ...over,
  };
}

/** A client without a secret. */
export function publicClient(over: Partial<ClientCredentials> = {}): ClientCredentials {
  return { clientId: 'client-1', source: 'registered', issuerKey: issuer, redirectUri, ...over };
}

export function authorizationRequest(over: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    url: asChecked('https://as.example/authorize'),
    parameters: new Map(),
    state,
    codeVerifier: new Secret('v'.repeat(43)),
    clientId: 'client-1',
    redirectUri,
    issuerKey: issuer,
    expectedIss: issuer,
    issExpected: false,
    resource: 'https://mcp.example/mcp',
    tokenEndpoint,
    createdAt: { wall: start, monotonic: 1_000 },
    ...over,
  };
}

export function authorizationCode(request = authorizationRequest()): AuthorizationCode {
  const query = `state=${request.state}&code=code-1`;
  const response = validateAuthorizationResponse(request, query, createFakeClock(start));
  if (response.kind === 'code') return response.code;
  throw response.error;
}

export function tokenSet(over: Partial<TokenSet> = {}): TokenSet {
  return {
    accessToken: new Secret('old-access'),
    refreshToken: new Secret('old-refresh'),
    scope: 'notes:read',
    expiresAt: 1_000,
    receivedAt: { wall: 500 },
    issuerKey: issuer,
    resource: 'https://mcp.example/mcp',
    tokenEndpoint,
    revocationEndpoint: 'https://as.example/revoke',
    notes: [],
    ...over,
  };
}

/** The code, stage and detail of a thrown PosternError; rethrows anything else. */
export async function failureOf(work: () => unknown): Promise<PosternError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PosternError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The fields of a form body; fails the test if one appears twice. */
export function formFields(body: string | undefined): Record<string, string> {
  const fields = [...new URLSearchParams(body ?? '')];
  if (new Set(fields.map(([name]) => name)).size !== fields.length) throw new Error(`a field twice: ${body}`);
  return Object.fromEntries(fields);
}

/** The raw ID and secret in a Basic header. */
export function basicPair(headers: Readonly<Record<string, string>> | undefined): string | undefined {
  const value = headers?.['authorization'];
  return value === undefined ? undefined : Buffer.from(value.replace(/^Basic /, ''), 'base64').toString('utf8');
}

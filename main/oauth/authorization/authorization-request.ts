import { createHash, timingSafeEqual } from 'node:crypto';
import type { PkcePolicy } from '../../../shared/choices.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { registrableDomain, sameRegistrableDomain } from '../../address/domain-owner.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { urlLength } from '../../limits.ts';
import type { Clock, Random } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import type { ProofKey } from '../wire/proof-key.ts';
import type { ChosenScope } from './scope.ts';

/** One authorization request and everything that its response and token request are checked against. */
export interface AuthorizationRequest {
  /** What the person's browser opens. Holds `state` and challenge, or a reference to them, never a verifier or secret. */
  readonly url: CheckedAddress;
  /** What is asked for: in `url`, or where that refers to it. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly state: string;
  /** Absent: no PKCE. */
  readonly codeVerifier?: Secret;
  readonly nonce?: string;
  readonly clientId: string;
  /** The client is an OAuth app of the user's, who can correct its callback URL. */
  readonly isOwnApp?: true;
  readonly redirectUri: string;
  /** What the credentials are keyed by, and the tokens will be. */
  readonly issuerKey: IssuerKey;
  /** `expectedIssuer` of the validated metadata, recorded before the browser opens (MCP 2026-07-28; RFC 9207 section 2.4). */
  readonly expectedIss: string;
  /** The metadata promises `iss` in every response. */
  readonly issExpected: boolean;
  /** RFC 8707 resource as sent. */
  readonly resource?: string;
  /** As sent. */
  readonly scope?: string;
  /** Snapshot: the code goes here, whatever the metadata says later. */
  readonly tokenEndpoint: string;
  /** The key that the tokens are to be bound to. */
  readonly binding?: AskedBinding;
  readonly createdAt: { readonly wall: number; readonly monotonic: number };
}

export interface AskedBinding {
  readonly key: ProofKey;
  /** Other tokens are not taken. */
  readonly isDemanded: boolean;
}

export interface AuthorizationRequestOptions {
  readonly discovery: Pick<Discovery, 'url' | 'metadata' | 'issuerKey' | 'resource'>;
  readonly credentials: ClientCredentials;
  readonly redirectUri: string;
  readonly scope: ChosenScope;
  readonly pkce: PkcePolicy;
  /** False: this authorization server refuses RFC 8707 `resource`. */
  readonly sendResource: boolean;
  /** Ask for a new login. Left out: the rule of `needsFreshLogin`. */
  readonly freshLogin?: boolean | undefined;
  /** Ask for a choice among accounts, where that is understood; else for a new login. */
  readonly otherAccount?: boolean | undefined;
  readonly loginHint?: string | undefined;
  /** `thumbprint`: of its key. */
  readonly binding?: (AskedBinding & { readonly thumbprint: string }) | undefined;
}

/**
 * The authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707, RFC 9449 section 10, spec 2.6). The endpoint's
 * own query is kept (RFC 6749 section 3.1), but no parameter of ours appears twice.
 * Errors: PKCE_UNSUPPORTED, URL_*, REG_ISSUER_MISMATCH when the credentials belong to another issuer.
 */
export function createAuthorizationRequest(
  random: Random,
  clock: Clock,
  options: AuthorizationRequestOptions,
): AuthorizationRequest {
  const { discovery, credentials, redirectUri, scope, binding } = options;
  const { metadata, issuerKey } = discovery;
  const page = metadata?.authorization_endpoint;
  if (metadata === undefined || page === undefined || issuerKey === undefined)
    throw new PosternError('INTERNAL', { stage: 'authorization' });
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'authorization' });

  const endpoint = parseAddress(page, 'authorization');
  const state = randomText(random);
  const codeVerifier = applyPkce(options.pkce, metadata) ? createCodeVerifier(random) : undefined;
  const nonce = scope.openid ? randomText(random) : undefined;
  const resource = options.sendResource ? discovery.resource : undefined;

  const chosen: readonly (readonly [string, string | undefined])[] = [
    ['response_type', 'code'],
    ['client_id', credentials.clientId],
    ['redirect_uri', redirectUri],
    ['state', state],
    ['scope', scope.scope],
    ['resource', resource],
    ['code_challenge', codeVerifier && codeChallenge(codeVerifier)],
    ['code_challenge_method', codeVerifier && 'S256'],
    ['nonce', nonce],
    [
      'prompt',
      choosePrompt(endpoint, metadata, scope, {
        otherAccount: options.otherAccount === true,
        freshLogin: options.freshLogin ?? needsFreshLogin(discovery, credentials),
      }),
    ],
    ['access_type', isGoogle(endpoint) ? 'offline' : undefined],
    ['login_hint', options.loginHint],
    // The code is of use only to whoever has the key.
    ['dpop_jkt', binding?.thumbprint],
  ];
  const parameters = new Map(chosen.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));

  return {
    parameters,
    url: withParameters(page, parameters),
    state,
    ...(codeVerifier && { codeVerifier }),
    ...(nonce !== undefined && { nonce }),
    clientId: credentials.clientId,
    ...(credentials.source === 'typed' && { isOwnApp: true }),
    redirectUri,
    issuerKey,
    expectedIss: expectedIssuer(issuerKey, metadata.issuer),
    issExpected: metadata.authorization_response_iss_parameter_supported === true,
    ...(resource !== undefined && { resource }),
    ...(scope.scope !== undefined && { scope: scope.scope }),
    tokenEndpoint: metadata.token_endpoint,
    ...(binding && { binding: { key: binding.key, isDemanded: binding.isDemanded } }),
    createdAt: { wall: clock.now(), monotonic: clock.monotonic() },
  };
}

/** Known to offer a choice of accounts, though their metadata does not say so. */
const selectsAccounts = new Set(['accounts.google.com', 'login.microsoftonline.com', 'login.live.com']);

/** `login` and `consent` may stand together (OpenID Connect Core 1.0 section 3.1.2.1). */
function choosePrompt(
  endpoint: URL,
  metadata: AuthorizationServerMetadata,
  scope: ChosenScope,
  { otherAccount, freshLogin }: { readonly otherAccount: boolean; readonly freshLogin: boolean },
): string | undefined {
  const known = metadata.prompt_values_supported;
  const canSelect = known?.includes('select_account') ?? selectsAccounts.has(endpoint.hostname);
  const login = otherAccount && canSelect ? 'select_account' : (otherAccount || freshLogin) && 'login';
  // Without consent there is no refresh token: section 11 there; Google gives one at the first consent only.
  const wanted = [login, (scope.offlineAccess || isGoogle(endpoint)) && 'consent'];
  const prompt = wanted.filter((value) => value !== false && (known === undefined || known.includes(value)));
  return prompt.length === 0 ? undefined : prompt.join(' ');
}

function isGoogle(endpoint: URL): boolean {
  return endpoint.hostname === 'accounts.google.com';
}

function randomText(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/**
 * The address of a sign-in page that is asked for `parameters`. Errors: URL_TOO_LONG.
 */
export function withParameters(endpoint: CheckedAddress, parameters: ReadonlyMap<string, string>): CheckedAddress {
  const { pathname, search } = new URL(endpoint);
  const kept = search
    .slice(1)
    .split('&')
    .filter((piece) => piece !== '' && ![...new URLSearchParams(piece).keys()].some((name) => parameters.has(name)));
  // A space as %20 is read alike by those who decode forms and those who decode URIs.
  const query = new URLSearchParams([...parameters]).toString().replaceAll('+', '%20');
  const url = atSameOrigin(endpoint, pathname, [...kept, query].join('&'));
  parseAddress(url, 'authorization', urlLength.authorizationRequest);
  return url;
}

/** Labels before a domain that name a service, and no tenant of it. */
const commonLabels =
  /^(?:mcp|api|apis|app|apps|www|ai|agents?|server|gateway|gw|edge|remote|connect|dev|staging|stage|test|beta|prod|global|cloud|my|v?\d+|(?:eu|us|uk|ap|au|ca|de|in|jp|sg)(?:-?[a-z]*-?\d*)?)(?:-mcp)?$/u;

/**
 * Typed credentials at an authorization server on another registrable domain than the MCP server, or beside the
 * subdomain that the server has for one tenant: a session of another organisation there would be used in silence
 * (spec 5.8).
 */
export function needsFreshLogin(
  discovery: Pick<Discovery, 'url' | 'metadata'>,
  credentials: Pick<ClientCredentials, 'source'>,
): boolean {
  const server = URL.parse(discovery.url);
  const endpoint = URL.parse(discovery.metadata?.authorization_endpoint ?? '');
  if (credentials.source !== 'typed' || server === null || endpoint === null) return false;
  if (!sameRegistrableDomain(server.hostname, endpoint.hostname)) return true;
  const domain = registrableDomain(server.hostname);
  if (domain === undefined) return false;
  const labelsOf = ({ hostname }: URL): string[] => hostname.slice(0, -domain.length).split('.').filter(Boolean);
  const atEndpoint = labelsOf(endpoint);
  // A label that both have in front of their domain names the same tenant.
  return labelsOf(server).some((label) => !commonLabels.test(label) && !atEndpoint.includes(label));
}

/** 256 random bits, base64url: 43 characters (RFC 7636 section 4.1). */
export function createCodeVerifier(random: Random): Secret {
  return new Secret(Buffer.from(random.bytes(32)).toString('base64url'));
}

/** `BASE64URL(SHA256(verifier))` (RFC 7636 section 4.2); `plain` is never used. */
export function codeChallenge(verifier: Secret): string {
  return createHash('sha256').update(verifier.reveal(), 'ascii').digest('base64url');
}

/** Whether the metadata says that the service checks S256 (RFC 8414 section 2). */
export function listsPkce(
  metadata: Pick<AuthorizationServerMetadata, 'code_challenge_methods_supported'> | undefined,
): boolean {
  return metadata?.code_challenge_methods_supported?.includes('S256') === true;
}

/**
 * Whether the authorization request carries a code challenge (RFC 7636 with S256 only).
 * Errors: PKCE_UNSUPPORTED when the policy is `required` and the metadata does not list S256.
 */
export function applyPkce(
  policy: PkcePolicy,
  metadata: Pick<AuthorizationServerMetadata, 'code_challenge_methods_supported'>,
): boolean {
  const listed = listsPkce(metadata);
  if (policy === 'required' && !listed) throw new PosternError('PKCE_UNSUPPORTED', { stage: 'authorization' });
  return listed || policy === 'always';
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** In a time that does not depend on where they differ, nor on their lengths: for what an attacker may guess. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

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
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import type { ProofKey } from '../http/proof-key.ts';
import type { ChosenScope } from './scope.ts';

/** An authorization request and everything its response and token request are checked against. */
export interface AuthorizationRequest {
  /** URL for the user's browser. Holds `state` and challenge, or a reference to them, never a verifier or secret. */
  readonly url: CheckedAddress;
  /** Request parameters, in `url` or in the pushed request it refers to. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly state: string;
  /** Absent: no PKCE. */
  readonly codeVerifier?: Secret;
  readonly nonce?: string;
  readonly clientId: string;
  /** The client is the user's own OAuth app: they can correct its callback URL. */
  readonly isOwnOAuthApp?: true;
  readonly redirectUri: string;
  /** Key of the credentials and of the tokens. */
  readonly issuerKey: IssuerKey;
  /**
   * `expectedIssuer` of the validated metadata, recorded before the browser opens (MCP 2026-07-28; RFC 9207 section
   * 2.4).
   */
  readonly expectedIss: string;
  /** The metadata promises `iss` in every response. */
  readonly issExpected: boolean;
  /** RFC 8707 resource as sent. */
  readonly resource?: string;
  /** As sent. */
  readonly scope?: string;
  /** A snapshot: the code goes here, whatever the metadata says later. */
  readonly tokenEndpoint: string;
  /** Key to bind the tokens to. */
  readonly binding?: RequestedBinding;
  readonly createdAt: { readonly wall: number; readonly monotonic: number };
}

export interface RequestedBinding {
  readonly key: ProofKey;
  /** Unbound tokens are rejected. */
  readonly isDemanded: boolean;
}

export interface AuthorizationRequestOptions {
  readonly discovery: Pick<Discovery, 'url' | 'metadata' | 'issuerKey' | 'resource'>;
  readonly credentials: ClientCredentials;
  readonly redirectUri: string;
  readonly scope: ChosenScope;
  readonly pkce: PkcePolicy;
  /** False if this authorization server refuses RFC 8707 `resource`. */
  readonly sendResource: boolean;
  /** Require a new login. Default: `needsFreshLogin`. */
  readonly freshLogin?: boolean | undefined;
  /** Show an account chooser if supported, otherwise require a new login. */
  readonly otherAccount?: boolean | undefined;
  readonly loginHint?: string | undefined;
  /** `thumbprint`: of the key. */
  readonly binding?: (RequestedBinding & { readonly thumbprint: string }) | undefined;
}

/**
 * Builds the authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707, RFC 9449 section 10, spec 2.6). The
 * endpoint's own query is retained (RFC 6749 section 3.1), but none of our parameters appears twice.
 * Errors: PKCE_UNSUPPORTED, URL_*, REG_ISSUER_MISMATCH if the credentials belong to another issuer.
 */
export function createAuthorizationRequest(
  random: Random,
  clock: Clock,
  options: AuthorizationRequestOptions,
): AuthorizationRequest {
  const { discovery, credentials, redirectUri, scope, binding } = options;
  const { metadata, issuerKey } = discovery;
  const authorizationPage = metadata?.authorization_endpoint;
  if (metadata === undefined || authorizationPage === undefined || issuerKey === undefined)
    throw new PosternError('INTERNAL', { stage: 'authorization' });
  if (credentials.issuerKey !== issuerKey) throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'authorization' });

  const endpoint = parseAddress(authorizationPage, 'authorization');
  const state = randomText(random);
  const codeVerifier = applyPkce(options.pkce, metadata) ? createCodeVerifier(random) : undefined;
  const nonce = scope.openid ? randomText(random) : undefined;
  const resource = options.sendResource ? discovery.resource : undefined;

  const entries: readonly (readonly [string, string | undefined])[] = [
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
    // Binds the code to the key.
    ['dpop_jkt', binding?.thumbprint],
  ];
  const parameters = new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));

  return {
    parameters,
    url: withParameters(authorizationPage, parameters),
    state,
    ...(codeVerifier && { codeVerifier }),
    ...(nonce !== undefined && { nonce }),
    clientId: credentials.clientId,
    ...(credentials.source === 'typed' && { isOwnOAuthApp: true }),
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

/** Support `select_account` though their metadata does not say so. */
const selectsAccounts = new Set(['accounts.google.com', 'login.microsoftonline.com', 'login.live.com']);

/** `login` and `consent` may be combined (OpenID Connect Core 1.0 section 3.1.2.1). */
function choosePrompt(
  endpoint: URL,
  metadata: AuthorizationServerMetadata,
  scope: ChosenScope,
  { otherAccount, freshLogin }: { readonly otherAccount: boolean; readonly freshLogin: boolean },
): string | undefined {
  const supported = metadata.prompt_values_supported;
  const canSelect = supported?.includes('select_account') ?? selectsAccounts.has(endpoint.hostname);
  const login = otherAccount && canSelect ? 'select_account' : (otherAccount || freshLogin) && 'login';
  // No refresh token without consent (OpenID Connect Core 1.0 section 11); Google issues one only at the first consent.
  const promptValues = [login, (scope.offlineAccess || isGoogle(endpoint)) && 'consent'];
  const prompt = promptValues.filter(
    (value) => value !== false && (supported === undefined || supported.includes(value)),
  );
  return prompt.length === 0 ? undefined : prompt.join(' ');
}

function isGoogle(endpoint: URL): boolean {
  return endpoint.hostname === 'accounts.google.com';
}

function randomText(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/** The sign-in page URL with `parameters`. Errors: URL_TOO_LONG. */
export function withParameters(endpoint: CheckedAddress, parameters: ReadonlyMap<string, string>): CheckedAddress {
  const { pathname, search } = new URL(endpoint);
  const retained = search
    .slice(1)
    .split('&')
    .filter((piece) => piece !== '' && ![...new URLSearchParams(piece).keys()].some((name) => parameters.has(name)));
  // Form decoders and URI decoders agree on %20.
  const query = new URLSearchParams([...parameters]).toString().replaceAll('+', '%20');
  const url = atSameOrigin(endpoint, pathname, [...retained, query].join('&'));
  parseAddress(url, 'authorization', urlLength.authorizationRequest);
  return url;
}

/** Subdomain labels that name a service, not a tenant. */
const commonLabels =
  /^(?:mcp|api|apis|app|apps|www|ai|agents?|server|gateway|gw|edge|remote|connect|dev|staging|stage|test|beta|prod|global|cloud|my|v?\d+|(?:eu|us|uk|ap|au|ca|de|in|jp|sg)(?:-?[a-z]*-?\d*)?)(?:-mcp)?$/u;

/**
 * True for typed credentials at an authorization server on another registrable domain than the MCP server, or outside
 * the subdomain the server has for one tenant: an existing session of another organization would be used silently (spec
 * 5.8).
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
  const endpointLabels = labelsOf(endpoint);
  // A label that both have before the domain names the same tenant.
  return labelsOf(server).some((label) => !commonLabels.test(label) && !endpointLabels.includes(label));
}

/** 256 random bits, base64url: 43 characters (RFC 7636 section 4.1). */
export function createCodeVerifier(random: Random): Secret {
  return new Secret(Buffer.from(random.bytes(32)).toString('base64url'));
}

/** `BASE64URL(SHA256(verifier))` (RFC 7636 section 4.2); `plain` is never used. */
export function codeChallenge(verifier: Secret): string {
  return createHash('sha256').update(verifier.reveal(), 'ascii').digest('base64url');
}

/** Whether the metadata lists S256 (RFC 8414 section 2). */
export function listsPkce(
  metadata: Pick<AuthorizationServerMetadata, 'code_challenge_methods_supported'> | undefined,
): boolean {
  return metadata?.code_challenge_methods_supported?.includes('S256') === true;
}

/**
 * Whether to send a code challenge (RFC 7636 with S256 only).
 * Errors: PKCE_UNSUPPORTED if the policy is `required` and the metadata does not list S256.
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

/** Constant-time comparison, for values that an attacker may guess. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

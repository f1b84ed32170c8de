import type { Grant } from '../../../shared/choices.ts';
import type { Demand } from '../../../shared/oauth.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import { chooseClientKeyAlgorithm } from '../http/metadata-schemas.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import { proofAlgorithm } from '../http/proof-key.ts';
import type { Discovery } from './discovery.ts';

/** A grant without a redirect back here. `device-code`: with a page elsewhere (RFC 8628). */
type RequestedGrant = Grant | 'device-code';

type Documents = Pick<Discovery, 'url' | 'metadata' | 'resourceMetadata' | 'challenge'>;

/** Client authentication methods that need a key or certificate (RFC 7523, RFC 8705). */
const keyBasedMethods: ReadonlySet<string> = new Set([
  'private_key_jwt',
  'client_secret_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
]);

/**
 * A requirement for every client that the service publishes and Postern cannot meet, and its host. A mere capability,
 * such as `tls_client_certificate_bound_access_tokens` (RFC 8705 section 3.3), is not one.
 */
export function findUnmetDemand(
  documents: Documents,
  grant?: RequestedGrant,
): { demand: Demand; host: string } | undefined {
  const { url, metadata, resourceMetadata, challenge } = documents;
  const isBound = tokenBindingNeed(documents) === 'demanded';
  const acceptedAlgorithms = challenge?.dpop?.algs ?? resourceMetadata?.dpop_signing_alg_values_supported;
  if (isBound && excludesOurAlgorithm(acceptedAlgorithms)) return { demand: 'dpop', host: new URL(url).host };
  if (!metadata) return undefined;
  const lacksOurAlgorithm = isBound && excludesOurAlgorithm(metadata.dpop_signing_alg_values_supported);
  const demand = lacksOurAlgorithm ? 'dpop' : demandOf(metadata, grant);
  return demand && { demand, host: URL.parse(metadata.authorization_endpoint ?? metadata.token_endpoint)?.host ?? '' };
}

/** No input from the user can meet the requirement. */
export class UnmetDemand extends PosternError {
  constructor(options: PosternErrorOptions) {
    super('DEMAND_UNMET', options);
  }
}

/** Throws DEMAND_UNMET, before any registration, sign-in page or user input. */
export function refuseUnmetDemand(documents: Documents, grant?: RequestedGrant): void {
  const unmet = findUnmetDemand(documents, grant);
  if (unmet) throw new UnmetDemand({ stage: 'discovery', detail: unmet });
}

/**
 * A requirement for this client in its registration response that Postern cannot meet (RFC 7591 section 2 and
 * extensions). `hasKey`: it was registered with a key.
 */
export function demandOfClient(
  client: Readonly<Record<string, unknown>>,
  metadata: Pick<
    AuthorizationServerMetadata,
    'pushed_authorization_request_endpoint' | 'dpop_signing_alg_values_supported'
  >,
  hasKey: boolean,
): Demand | undefined {
  if (requiresBoundTokens(client) && excludesOurAlgorithm(metadata.dpop_signing_alg_values_supported)) return 'dpop';
  if (client['tls_client_certificate_bound_access_tokens'] === true) return 'certificate';
  if (requiresPushedRequests(client) && metadata.pushed_authorization_request_endpoint === undefined)
    return 'pushed-request';
  if (client['require_signed_request_object'] === true) return 'signed-request';
  const method = client['token_endpoint_auth_method'];
  if (typeof method !== 'string' || (method === 'private_key_jwt' && hasKey)) return undefined;
  return demandOfMethods([method]);
}

/** RFC 9126 section 6. */
export function requiresPushedRequests(client: Readonly<Record<string, unknown>>): boolean {
  return client['require_pushed_authorization_requests'] === true;
}

/** RFC 9449 section 5.2. */
export function requiresBoundTokens(client: Readonly<Record<string, unknown>>): boolean {
  return client['dpop_bound_access_tokens'] === true;
}

function demandOf(metadata: AuthorizationServerMetadata, grant: RequestedGrant | undefined): Demand | undefined {
  return (grant === undefined ? demandOfPage(metadata) : demandOfGrant(metadata, grant)) ?? demandOfClients(metadata);
}

const grantTypes: Readonly<Record<Grant, string>> = {
  'client-credentials': 'client_credentials',
  'jwt-bearer': 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  enterprise: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
};

/** These grants have no authorization request, or it comes later. */
function demandOfGrant(
  { grant_types_supported }: AuthorizationServerMetadata,
  grant: RequestedGrant,
): Demand | undefined {
  if (grant === 'device-code' || !listsOthers(grant_types_supported, grantTypes[grant])) return undefined;
  return grant === 'client-credentials' ? 'client-grant' : 'assertion-grant';
}

function demandOfPage(metadata: AuthorizationServerMetadata): Demand | undefined {
  // RFC 9126 section 5, RFC 9101 section 10.5.
  const pushes = metadata.require_pushed_authorization_requests === true;
  if (pushes && metadata.pushed_authorization_request_endpoint === undefined) return 'pushed-request';
  if (metadata.require_signed_request_object === true) return 'signed-request';
  if (listsOthers(metadata.response_types_supported, 'code')) return 'response-type';
  if (listsOthers(metadata.grant_types_supported, 'authorization_code')) return 'grant-type';
  return listsOthers(metadata.response_modes_supported, 'query') ? 'response-mode' : undefined;
}

function demandOfClients(metadata: AuthorizationServerMetadata): Demand | undefined {
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  // A key that Postern generates or the user has.
  if (methods.includes('private_key_jwt') && chooseClientKeyAlgorithm(metadata)) return undefined;
  return demandOfMethods(methods);
}

function demandOfMethods(methods: readonly string[]): Demand | undefined {
  if (methods.length === 0 || !methods.every((method) => keyBasedMethods.has(method))) return undefined;
  return methods.includes('client_secret_jwt') ? 'secret-signature' : 'client-key';
}

/** An empty list says nothing: servers write it to mean "the usual". */
function listsOthers(listed: readonly string[] | undefined, needed: string): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(needed);
}

type BindingDocuments = Pick<Discovery, 'metadata' | 'resourceMetadata' | 'challenge'>;

/**
 * Whether to request DPoP-bound tokens (RFC 9449). `demanded`: other tokens would be useless, since the registration
 * (section 5.2), the service or the MCP server requires them, the MCP server also by naming no other scheme. `offered`:
 * the service can bind tokens (section 5.1), and nothing shows that the MCP server refuses them: one that names only
 * Bearer most likely knows no other scheme.
 */
export function tokenBindingNeed(
  { metadata, resourceMetadata, challenge }: BindingDocuments,
  { bindsTokens }: { readonly bindsTokens?: boolean | undefined } = {},
): 'demanded' | 'offered' | undefined {
  const isDemanded =
    bindsTokens === true ||
    metadata?.dpop_bound_access_tokens === true ||
    resourceMetadata?.dpop_bound_access_tokens_required === true ||
    challenge?.dpop?.only === true;
  if (isDemanded) return 'demanded';
  if (!includesOurAlgorithm(metadata?.dpop_signing_alg_values_supported)) return undefined;
  const acceptedAlgorithms = challenge?.dpop?.algs ?? resourceMetadata?.dpop_signing_alg_values_supported;
  if (acceptedAlgorithms !== undefined) return includesOurAlgorithm(acceptedAlgorithms) ? 'offered' : undefined;
  return challenge !== undefined && challenge.dpop === undefined ? undefined : 'offered';
}

/** True if a list of accepted proof algorithms lacks ours. An empty list says nothing. */
function excludesOurAlgorithm(listed: readonly string[] | undefined): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(proofAlgorithm);
}

function includesOurAlgorithm(listed: readonly string[] | undefined): boolean {
  return listed?.includes(proofAlgorithm) === true;
}

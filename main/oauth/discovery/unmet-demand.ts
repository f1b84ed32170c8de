import type { Grant } from '../../../shared/choices.ts';
import type { Demand } from '../../../shared/oauth.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import { ownSigningAlgorithm } from '../wire/messages.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { proofAlgorithm } from '../wire/proof-key.ts';
import type { Discovery } from './discovery.ts';

/** Other than by a sign-in page that leads back here. `device-code`: with a page that does not (RFC 8628). */
type AskedWay = Grant | 'device-code';

type Documents = Pick<Discovery, 'url' | 'metadata' | 'resourceMetadata' | 'challenge'>;

/** Ways for a client to authenticate that need a key or a certificate (RFC 7523, RFC 8705). */
const withClientKey: ReadonlySet<string> = new Set([
  'private_key_jwt',
  'client_secret_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
]);

/**
 * What a service publishes that it wants of every client, and that Postern cannot do; with whom. What it merely
 * offers is none: `tls_client_certificate_bound_access_tokens` of RFC 8705 section 3.3 says no more than that.
 */
export function unmetDemand(documents: Documents, grant?: AskedWay): { demand: Demand; host: string } | undefined {
  const { url, metadata, resourceMetadata, challenge } = documents;
  const isBound = wantedBinding(documents) === 'demanded';
  const taken = challenge?.dpop?.algs ?? resourceMetadata?.dpop_signing_alg_values_supported;
  if (isBound && excludesOurs(taken)) return { demand: 'dpop', host: new URL(url).host };
  if (!metadata) return undefined;
  const bindsOtherwise = isBound && excludesOurs(metadata.dpop_signing_alg_values_supported);
  const demand = bindsOtherwise ? 'dpop' : demandOf(metadata, grant);
  return demand && { demand, host: URL.parse(metadata.authorization_endpoint ?? metadata.token_endpoint)?.host ?? '' };
}

/** Nothing that a person could type or try would meet it. */
export class UnmetDemand extends PosternError {
  constructor(options: PosternErrorOptions) {
    super('DEMAND_UNMET', options);
  }
}

/** Throws DEMAND_UNMET, before anything is registered, opened or typed for such a service. */
export function refuseUnmetDemand(documents: Documents, grant?: AskedWay): void {
  const unmet = unmetDemand(documents, grant);
  if (unmet) throw new UnmetDemand({ stage: 'discovery', detail: unmet });
}

/**
 * What the answer to a registration wants of this client (RFC 7591 section 2 and the members that others add to it),
 * which was registered with a key of its own, or not.
 */
export function demandOfClient(
  client: Readonly<Record<string, unknown>>,
  metadata: Pick<
    AuthorizationServerMetadata,
    'pushed_authorization_request_endpoint' | 'dpop_signing_alg_values_supported'
  >,
  hasKey: boolean,
): Demand | undefined {
  if (wantsBinding(client) && excludesOurs(metadata.dpop_signing_alg_values_supported)) return 'dpop';
  if (client['tls_client_certificate_bound_access_tokens'] === true) return 'certificate';
  if (wantsPushing(client) && metadata.pushed_authorization_request_endpoint === undefined) return 'pushed-request';
  if (client['require_signed_request_object'] === true) return 'signed-request';
  const way = client['token_endpoint_auth_method'];
  if (typeof way !== 'string' || (way === 'private_key_jwt' && hasKey)) return undefined;
  return demandOfWays([way]);
}

/** RFC 9126 section 6. */
export function wantsPushing(client: Readonly<Record<string, unknown>>): boolean {
  return client['require_pushed_authorization_requests'] === true;
}

/** RFC 9449 section 5.2. */
export function wantsBinding(client: Readonly<Record<string, unknown>>): boolean {
  return client['dpop_bound_access_tokens'] === true;
}

function demandOf(metadata: AuthorizationServerMetadata, grant: AskedWay | undefined): Demand | undefined {
  return (grant === undefined ? demandOfPage(metadata) : demandOfGrant(metadata, grant)) ?? demandOfClients(metadata);
}

const grantTypes: Readonly<Record<Grant, string>> = {
  'client-credentials': 'client_credentials',
  'jwt-bearer': 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  enterprise: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
};

/** There is no page to be asked for, or it comes later. */
function demandOfGrant({ grant_types_supported }: AuthorizationServerMetadata, grant: AskedWay): Demand | undefined {
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
  const ways = metadata.token_endpoint_auth_methods_supported ?? [];
  // A key of Postern's own, or one that a person has from there.
  if (ways.includes('private_key_jwt') && ownSigningAlgorithm(metadata)) return undefined;
  return demandOfWays(ways);
}

function demandOfWays(ways: readonly string[]): Demand | undefined {
  if (ways.length === 0 || !ways.every((way) => withClientKey.has(way))) return undefined;
  return ways.includes('client_secret_jwt') ? 'secret-signature' : 'client-key';
}

/** An empty list says nothing: servers write it where they mean "the usual". */
function listsOthers(listed: readonly string[] | undefined, needed: string): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(needed);
}

type BindingDocuments = Pick<Discovery, 'metadata' | 'resourceMetadata' | 'challenge'>;

/**
 * Whether tokens are asked for with a key that they are to be bound to (RFC 9449). `demanded`: others would be of no
 * use, since the registration (section 5.2), the service or the server say so; the server also by naming no other scheme.
 * `offered`: the service can bind them (section 5.1), and the server takes such tokens as far as it says what it takes:
 * one that names Bearer alone most likely knows no other scheme.
 */
export function wantedBinding(
  { metadata, resourceMetadata, challenge }: BindingDocuments,
  { bindsTokens }: { readonly bindsTokens?: boolean | undefined } = {},
): 'demanded' | 'offered' | undefined {
  const isDemanded =
    bindsTokens === true ||
    metadata?.dpop_bound_access_tokens === true ||
    resourceMetadata?.dpop_bound_access_tokens_required === true ||
    challenge?.dpop?.only === true;
  if (isDemanded) return 'demanded';
  if (!includesOurs(metadata?.dpop_signing_alg_values_supported)) return undefined;
  const taken = challenge?.dpop?.algs ?? resourceMetadata?.dpop_signing_alg_values_supported;
  if (taken !== undefined) return includesOurs(taken) ? 'offered' : undefined;
  return challenge !== undefined && challenge.dpop === undefined ? undefined : 'offered';
}

/** Whether the server that says how proofs may be signed leaves our way out. An empty list says nothing. */
function excludesOurs(listed: readonly string[] | undefined): boolean {
  return listed !== undefined && listed.length > 0 && !listed.includes(proofAlgorithm);
}

function includesOurs(listed: readonly string[] | undefined): boolean {
  return listed?.includes(proofAlgorithm) === true;
}

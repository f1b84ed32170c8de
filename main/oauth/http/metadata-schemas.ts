import * as z from 'zod/mini';
import type { CheckedAddress } from '../../address/check-address.ts';
import { maxAuthorizationServers, jsonLimit, maxUnusableParts, urlLength } from '../../limits.ts';

/**
 * OAuth metadata as sent, with the member names of the RFCs. Unknown members are ignored. An optional member that is
 * null, "" or false counts as absent: that is how servers write what they lack. Only list entries that are strings of
 * usual length count.
 */

const optionalText = z.optional(z.string());

const preprocess = <Schema extends z.core.$ZodType>(read: (value: unknown) => unknown, schema: Schema) =>
  z.pipe(z.transform(read), schema);

/** A string becomes a list, split like `scope` (RFC 6749 section 3.3). Any other type counts as absent. */
const optionalList = preprocess(readList, z.optional(z.array(z.string())));
/** Only `true` counts; a wrong type does not invalidate the document. */
const optionalFlag = preprocess((flag) => (flag === 'true' ? true : flag), z.catch(z.optional(z.boolean()), undefined));
/** Not needed for sign-in, so an invalid address counts as absent. */
const optionalUrl = z.catch(z.optional(z.string().check(z.refine(URL.canParse))), undefined);
/** Sign-in works without it, so a non-string counts as absent. An address is checked like any other. */
const optionalEndpoint = z.catch(z.optional(z.string()), undefined);

function readList(value: unknown): readonly string[] | undefined {
  const entries: unknown = typeof value === 'string' ? value.split(/[\s,]+/u) : value;
  if (!Array.isArray(entries)) return undefined;
  const texts = entries.filter(isUsable);
  return texts.length === 0 && entries.length > 0 ? undefined : texts;
}

function isUsable(entry: unknown): entry is string {
  return typeof entry === 'string' && entry !== '' && entry.length <= jsonLimit.text;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function dropEmptyMembers(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !isEmpty(value)));
}

/**
 * Members of a document that could not be used, by known names: `revocation_endpoint`, `scopes_supported[1]`.
 * `accepted`: what was read from it.
 */
export function findUnusableMembers(
  document: unknown,
  accepted: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly string[] {
  const published = (document ?? {}) as Readonly<Record<string, unknown>>;
  const unusable = names.flatMap((name) => {
    const value = published[name];
    if (isEmpty(value)) return [];
    if (accepted[name] === undefined) return [name];
    return Array.isArray(value) ? value.flatMap((entry, index) => (isUsable(entry) ? [] : [`${name}[${index}]`])) : [];
  });
  return unusable.slice(0, maxUnusableParts);
}

/**
 * RFC 9728 section 2. `resource` is REQUIRED. The document is refused if `authorization_servers` is too long or has no
 * readable entry: it named whom to ask.
 */
const protectedResource = z.object({
  resource: z.string(),
  authorization_servers: preprocess(
    (servers) => readList(servers) ?? servers,
    z.optional(z.array(z.string()).check(z.maxLength(maxAuthorizationServers))),
  ),
  scopes_supported: optionalList,
  dpop_bound_access_tokens_required: optionalFlag,
  dpop_signing_alg_values_supported: optionalList,
  /** For display only, so a wrong type does not invalidate the document. */
  resource_name: z.catch(z.optional(z.string().check(z.maxLength(jsonLimit.text))), undefined),
});

export const protectedResourceMetadataSchema = preprocess(dropEmptyMembers, protectedResource);

export const protectedResourceMembers: readonly string[] = Object.keys(protectedResource.shape);

export type ProtectedResourceMetadata = z.infer<typeof protectedResourceMetadataSchema>;

/**
 * RFC 8414 section 2 and OpenID Connect Discovery 1.0 section 3, with the members of RFC 7009, RFC 8628, RFC 9126, RFC
 * 9207, RFC 9449 and of client ID metadata documents. `authorization_endpoint` may be absent only if no supported grant
 * uses it (RFC 8414 section 2).
 */
const authorizationServer = z.object({
  issuer: z.string().check(z.maxLength(urlLength.received)),
  authorization_endpoint: optionalText,
  token_endpoint: z.string(),
  registration_endpoint: optionalEndpoint,
  revocation_endpoint: optionalUrl,
  pushed_authorization_request_endpoint: optionalEndpoint,
  device_authorization_endpoint: optionalUrl,
  scopes_supported: optionalList,
  response_types_supported: optionalList,
  response_modes_supported: optionalList,
  grant_types_supported: optionalList,
  token_endpoint_auth_methods_supported: optionalList,
  token_endpoint_auth_signing_alg_values_supported: optionalList,
  revocation_endpoint_auth_methods_supported: optionalList,
  code_challenge_methods_supported: optionalList,
  prompt_values_supported: optionalList,
  authorization_response_iss_parameter_supported: optionalFlag,
  client_id_metadata_document_supported: optionalFlag,
  require_pushed_authorization_requests: optionalFlag,
  require_signed_request_object: optionalFlag,
  /** The client metadata flag of RFC 9449 section 5.2; here it applies to all clients. */
  dpop_bound_access_tokens: optionalFlag,
  dpop_signing_alg_values_supported: optionalList,
});

export const authorizationServerMetadataSchema = preprocess(
  dropEmptyMembers,
  authorizationServer.check(z.refine(hasAuthorizationEndpoint, { path: ['authorization_endpoint'] })),
);

export const authorizationServerMembers: readonly string[] = Object.keys(authorizationServer.shape);

const authorizationEndpointGrants: readonly string[] = ['authorization_code', 'implicit'];

/** An absent `grant_types_supported` means both (RFC 8414 section 2). */
function hasAuthorizationEndpoint(metadata: {
  readonly authorization_endpoint?: string | undefined;
  readonly grant_types_supported?: readonly string[] | undefined;
}): boolean {
  const { authorization_endpoint, grant_types_supported: grants = authorizationEndpointGrants } = metadata;
  return authorization_endpoint !== undefined || !grants.some((grant) => authorizationEndpointGrants.includes(grant));
}

/** As published; its addresses are not checked yet. */
export type PublishedServerMetadata = z.infer<typeof authorizationServerMetadataSchema>;

/** Members of authorization server metadata that hold an address we may contact or open. */
export const metadataEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const satisfies readonly (keyof PublishedServerMetadata)[];

/** Accepted metadata: each of its endpoints may be contacted or opened. */
export type AuthorizationServerMetadata = PublishedServerMetadata & {
  readonly [Name in (typeof metadataEndpoints)[number]]?: CheckedAddress | undefined;
};

/** Endpoints that receive or return a code, a token or a secret. */
export const secretEndpoints = [
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const satisfies readonly (typeof metadataEndpoints)[number][];

/** Algorithms Postern signs assertions with (RFC 7518 section 3.1); FAPI 2.0 section 5.4.1 allows all but RS256. */
export const signingAlgorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Algorithms for a key that Postern generates, in order of preference. */
const clientKeyAlgorithms = ['ES256', 'PS256', 'RS256'] as const satisfies readonly SigningAlgorithm[];

interface SigningMetadata {
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[] | undefined;
}

/**
 * The algorithm to generate a client key for; `undefined` if the service accepts none that Postern supports. An empty
 * or absent list says nothing.
 */
export function chooseClientKeyAlgorithm({
  token_endpoint_auth_signing_alg_values_supported: listed = [],
}: SigningMetadata): (typeof clientKeyAlgorithms)[number] | undefined {
  return listed.length === 0 ? 'ES256' : clientKeyAlgorithms.find((algorithm) => listed.includes(algorithm));
}

/** RSA keys work with both: PS256 if the service lists it, otherwise RS256. */
export function rsaAlgorithm(metadata: SigningMetadata | undefined): 'PS256' | 'RS256' {
  return metadata?.token_endpoint_auth_signing_alg_values_supported?.includes('PS256') === true ? 'PS256' : 'RS256';
}

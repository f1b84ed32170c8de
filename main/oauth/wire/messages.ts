import * as z from 'zod/mini';
import type { CheckedAddress } from '../../address/check-address.ts';
import { authorizationServers, json, mostUnusableParts, urlLength } from '../../limits.ts';

/**
 * OAuth documents as they stand on the wire, in the spelling of their RFCs. Members that we do not use are ignored,
 * and an optional member that is null, "" or false counts as absent: servers write so what they do not have. Of a list
 * the entries that are texts of a usual length count.
 */

const optionalText = z.optional(z.string());

/** Runs `read` on a value before `schema` checks it. */
const readFirst = <Schema extends z.core.$ZodType>(read: (value: unknown) => unknown, schema: Schema) =>
  z.pipe(z.transform(read), schema);

/** A text is a list of one, or divided as `scope` is (RFC 6749 section 3.3). Of another type it says nothing. */
const optionalList = readFirst(readList, z.optional(z.array(z.string())));
/** Only `true` says something; of another type it does not spoil the document. */
const optionalFlag = readFirst((flag) => (flag === 'true' ? true : flag), z.catch(z.optional(z.boolean()), undefined));
/** Nobody has to use it to sign in, so what is no address is none. */
const spareEndpoint = z.catch(z.optional(z.string().check(z.refine(URL.canParse))), undefined);
/** There is a way without it, so what is no text is none. An address is refused like any other. */
const avoidableEndpoint = z.catch(z.optional(z.string()), undefined);

function readList(value: unknown): readonly string[] | undefined {
  const entries: unknown = typeof value === 'string' ? value.split(/[\s,]+/u) : value;
  if (!Array.isArray(entries)) return undefined;
  const texts = entries.filter(isUsable);
  return texts.length === 0 && entries.length > 0 ? undefined : texts;
}

function isUsable(entry: unknown): entry is string {
  return typeof entry === 'string' && entry !== '' && entry.length <= json.text;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function dropEmptyMembers(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !isEmpty(value)));
}

/**
 * What of a document could not be used, by names that we know: `revocation_endpoint`, `scopes_supported[1]`. `accepted`:
 * what was read of it.
 */
export function unusableMembers(
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
  return unusable.slice(0, mostUnusableParts);
}

/**
 * RFC 9728 section 2. `resource` is REQUIRED; a list of `authorization_servers` beyond our bound, or with none that can
 * be read, is refused whole: it named whom to ask.
 */
const protectedResource = z.object({
  resource: z.string(),
  authorization_servers: readFirst(
    (named) => readList(named) ?? named,
    z.optional(z.array(z.string()).check(z.maxLength(authorizationServers))),
  ),
  scopes_supported: optionalList,
  dpop_bound_access_tokens_required: optionalFlag,
  dpop_signing_alg_values_supported: optionalList,
  /** For display only, so a wrong type does not spoil the document. */
  resource_name: z.catch(z.optional(z.string().check(z.maxLength(json.text))), undefined),
});

export const protectedResourceMetadataSchema = readFirst(dropEmptyMembers, protectedResource);

export const protectedResourceMembers: readonly string[] = Object.keys(protectedResource.shape);

export type ProtectedResourceMetadata = z.infer<typeof protectedResourceMetadataSchema>;

/**
 * RFC 8414 section 2 and OpenID Connect Discovery 1.0 section 3, with the members of RFC 7009, RFC 8628, RFC 9126,
 * RFC 9207, RFC 9449 and of client id metadata documents. Only a service
 * none of whose grants begins on a page may name no page (RFC 8414 section 2).
 */
const authorizationServer = z.object({
  issuer: z.string().check(z.maxLength(urlLength.received)),
  authorization_endpoint: optionalText,
  token_endpoint: z.string(),
  registration_endpoint: avoidableEndpoint,
  revocation_endpoint: spareEndpoint,
  pushed_authorization_request_endpoint: avoidableEndpoint,
  device_authorization_endpoint: spareEndpoint,
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
  /** The flag of RFC 9449 section 5.2, where it is set for all clients. */
  dpop_bound_access_tokens: optionalFlag,
  dpop_signing_alg_values_supported: optionalList,
});

export const authorizationServerMetadataSchema = readFirst(
  dropEmptyMembers,
  authorizationServer.check(z.refine(namesItsPage, { path: ['authorization_endpoint'] })),
);

export const authorizationServerMembers: readonly string[] = Object.keys(authorizationServer.shape);

const grantsOfPages: readonly string[] = ['authorization_code', 'implicit'];

/** A list that is left out stands for both. */
function namesItsPage(metadata: {
  readonly authorization_endpoint?: string | undefined;
  readonly grant_types_supported?: readonly string[] | undefined;
}): boolean {
  const { authorization_endpoint, grant_types_supported: grants = grantsOfPages } = metadata;
  return authorization_endpoint !== undefined || !grants.some((grant) => grantsOfPages.includes(grant));
}

/** As it stands on the wire, with whatever addresses. */
export type PublishedServerMetadata = z.infer<typeof authorizationServerMetadataSchema>;

/** Members of authorization server metadata that hold an address which we may contact or open. */
export const metadataEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const satisfies readonly (keyof PublishedServerMetadata)[];

/** Accepted: each of these addresses may be contacted or opened. */
export type AuthorizationServerMetadata = PublishedServerMetadata & {
  readonly [Name in (typeof metadataEndpoints)[number]]?: CheckedAddress | undefined;
};

/** Those of them that are sent a code, a token or a secret, or answer with one. */
export const secretEndpoints = [
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const satisfies readonly (typeof metadataEndpoints)[number][];

/** What Postern signs assertions with (RFC 7518 section 3.1); FAPI 2.0 section 5.4.1 takes all but RS256. */
export const signingAlgorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** What a key of Postern's own is made for: the first of these that the service takes. */
const ownAlgorithms = ['ES256', 'PS256', 'RS256'] as const satisfies readonly SigningAlgorithm[];

interface Listed {
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[] | undefined;
}

/** `undefined`: the service takes no signature that Postern makes. A list that is empty or absent says nothing. */
export function ownSigningAlgorithm({
  token_endpoint_auth_signing_alg_values_supported: listed = [],
}: Listed): (typeof ownAlgorithms)[number] | undefined {
  return listed.length === 0 ? 'ES256' : ownAlgorithms.find((algorithm) => listed.includes(algorithm));
}

/** For an RSA key, which may be used with either: the stronger one where the service lists it, else the usual one. */
export function rsaAlgorithm(metadata: Listed | undefined): 'PS256' | 'RS256' {
  return metadata?.token_endpoint_auth_signing_alg_values_supported?.includes('PS256') === true ? 'PS256' : 'RS256';
}

import * as z from 'zod';
import type { CheckedAddress } from '../../address/check-address.ts';
import { authorizationServers } from '../../limits.ts';

/**
 * OAuth documents as they stand on the wire, in the spelling of their RFCs. Members that we do not use are ignored,
 * and an optional member that is null or "" counts as absent: servers written in Go send their empty values.
 */

const optionalText = z.string().optional();
const optionalList = z.array(z.string()).optional();
const optionalFlag = z.boolean().optional();
/** Only `true` says something; of another type it does not spoil the document. */
const toleratedFlag = z.boolean().optional().catch(undefined);
const toleratedList = z.array(z.string()).optional().catch(undefined);

function dropEmptyMembers(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null && value !== ''));
}

/** RFC 9728 section 2. `resource` is REQUIRED; an `authorization_servers` list beyond our bound is refused whole. */
export const protectedResourceMetadataSchema = z.preprocess(
  dropEmptyMembers,
  z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()).max(authorizationServers).optional(),
    scopes_supported: optionalList,
    dpop_bound_access_tokens_required: toleratedFlag,
    dpop_signing_alg_values_supported: toleratedList,
    /** For display only, so a wrong type does not spoil the document. */
    resource_name: optionalText.catch(undefined),
  }),
);

export type ProtectedResourceMetadata = z.infer<typeof protectedResourceMetadataSchema>;

/**
 * RFC 8414 section 2 and OpenID Connect Discovery 1.0 section 3, with the members of RFC 7009, RFC 8628, RFC 9126,
 * RFC 9207, RFC 9449 and of client id metadata documents. Only a service
 * none of whose grants begins on a page may name no page (RFC 8414 section 2).
 */
export const authorizationServerMetadataSchema = z.preprocess(
  dropEmptyMembers,
  z
    .object({
      issuer: z.string(),
      authorization_endpoint: optionalText,
      token_endpoint: z.string(),
      registration_endpoint: optionalText,
      revocation_endpoint: optionalText,
      pushed_authorization_request_endpoint: optionalText,
      device_authorization_endpoint: optionalText,
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
      require_pushed_authorization_requests: toleratedFlag,
      require_signed_request_object: toleratedFlag,
      /** The flag of RFC 9449 section 5.2, where it is set for all clients. */
      dpop_bound_access_tokens: toleratedFlag,
      dpop_signing_alg_values_supported: toleratedList,
    })
    .refine(namesItsPage, { path: ['authorization_endpoint'] }),
);

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

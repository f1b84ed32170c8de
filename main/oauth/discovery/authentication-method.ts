import type { AuthenticationMethod } from '../../../shared/authentication-method.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

export interface MethodSources {
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The person has a client of their own for this server. */
  readonly typedCredentials?: boolean | undefined;
  /** Where this build's client metadata document is published. */
  readonly clientMetadataUrl?: string | undefined;
}

/** Spec 3.1, with typed credentials before client id metadata documents before registration (MCP 2026-07-28). */
export function decideAuthenticationMethod(sources: MethodSources): AuthenticationMethod {
  const { metadata, typedCredentials, clientMetadataUrl } = sources;
  if (metadata === undefined) return 'NoAuth';
  if (typedCredentials === true) return 'OAuth';
  if (metadata.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    return 'OAuthWithCIMD';
  }
  return metadata.registration_endpoint === undefined ? 'OAuth' : 'OAuthWithDCR';
}

import type { AuthorizationServerMetadata } from './messages.ts';

/** The default endpoints of a server that publishes nothing (MCP 2025-03-26, authorization 2.3.3); PKCE always. */
export function createLegacyMetadata(origin: string): AuthorizationServerMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

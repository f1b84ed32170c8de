import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import type { AuthorizationServer } from './authorization-server-options.ts';

interface IntrospectionResponse {
  readonly active: boolean;
  readonly sub?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly exp?: number;
  readonly aud?: string;
  readonly cnf?: { readonly jkt?: string };
}

/**
 * Introspects each token at the authorization server (RFC 7662), so that a revoked one is rejected at once. The caller
 * must check the audience.
 */
export function createTokenVerifier(introspection: AuthorizationServer['introspection']): OAuthTokenVerifier {
  return {
    async verifyAccessToken(token: string): Promise<AuthInfo> {
      const { endpoint, clientId, clientSecret } = introspection;
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
        redirect: 'manual',
      });
      if (response.status !== 200) throw new OAuthError(OAuthErrorCode.ServerError, 'Introspection is not available');
      const reply = (await response.json()) as IntrospectionResponse;
      const resource = URL.parse(reply.aud ?? '');
      if (!reply.active || reply.client_id === undefined || reply.exp === undefined || resource === null) {
        throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is expired, revoked or unknown');
      }
      return {
        token,
        clientId: reply.client_id,
        scopes: (reply.scope ?? '').split(' ').filter((scope) => scope !== ''),
        expiresAt: reply.exp,
        resource,
        extra: { username: reply.sub, ...(reply.cnf?.jkt !== undefined && { thumbprint: reply.cnf.jkt }) },
      };
    },
  };
}

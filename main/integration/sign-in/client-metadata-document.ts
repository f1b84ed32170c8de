import { clientIdentity } from '../../oauth/client/client-identity.ts';
import { callbackPath } from './callback-address.ts';

/**
 * The document that stands at a client metadata URL (MCP 2026-07-28, client id metadata documents). Its redirect
 * URIs have no port: an authorization server takes any port of a loopback address (RFC 8252 7.3). `url` is where it
 * is hosted, which is the client id too.
 */
export function createClientMetadataDocument(url: string): Readonly<Record<string, unknown>> {
  return {
    client_id: url,
    ...clientIdentity,
    redirect_uris: ['127.0.0.1', 'localhost'].map((host) => `http://${host}${callbackPath}`),
    // Nothing in a program that everybody has can be secret (RFC 8252 8.5).
    token_endpoint_auth_method: 'none',
  };
}

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * An authorization server for benchmarks that approves at once and only checks that required parameters are present.
 */
export interface AuthorizationEndpoints {
  /** Returns true if the request was for one of these endpoints. */
  handle(method: string, url: URL, body: string, response: ServerResponse): boolean;
  isValid(token: string): boolean;
  /** A token without a sign-in. */
  issueToken(): string;
  /** Invalidates every earlier token. */
  endTokens(): void;
}

export function createAuthorizationEndpoints(): AuthorizationEndpoints {
  const tokens = new Set<string>();
  const codes = new Set<string>();
  const issueToken = (): string => {
    const token = randomUUID();
    tokens.add(token);
    return token;
  };

  return {
    isValid: (token) => tokens.has(token),
    issueToken,
    endTokens: () => tokens.clear(),
    handle(method, url, body, response) {
      const { origin } = url;
      switch (`${method} ${url.pathname}`) {
        case 'GET /.well-known/oauth-protected-resource/mcp':
        case 'GET /.well-known/oauth-protected-resource/stateless': {
          const resource = `${origin}${url.pathname.replace('/.well-known/oauth-protected-resource', '')}`;
          sendJson(response, 200, { resource, authorization_servers: [origin], scopes_supported: ['bench'] });
          return true;
        }
        case 'GET /.well-known/oauth-authorization-server':
          sendJson(response, 200, {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            revocation_endpoint: `${origin}/revoke`,
            scopes_supported: ['bench'],
            response_types_supported: ['code'],
            grant_types_supported: ['authorization_code', 'refresh_token'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
          });
          return true;
        case 'POST /register': {
          const client = { client_id: randomUUID(), client_id_issued_at: Math.floor(Date.now() / 1_000) };
          const secret = { client_secret: randomUUID(), client_secret_expires_at: 0 };
          sendJson(response, 201, { ...(JSON.parse(body) as object), ...client, ...secret });
          return true;
        }
        case 'GET /authorize': {
          const code = randomUUID();
          codes.add(code);
          const callback = new URL(url.searchParams.get('redirect_uri') ?? '');
          callback.searchParams.set('code', code);
          callback.searchParams.set('state', url.searchParams.get('state') ?? '');
          response.writeHead(302, { location: callback.href }).end();
          return true;
        }
        case 'POST /token': {
          const form = new URLSearchParams(body);
          if (form.get('grant_type') === 'authorization_code' && !codes.delete(form.get('code') ?? '')) {
            sendJson(response, 400, { error: 'invalid_grant' });
            return true;
          }
          sendJson(response, 200, {
            access_token: issueToken(),
            refresh_token: randomUUID(),
            token_type: 'Bearer',
            expires_in: 36_000,
            scope: 'bench',
          });
          return true;
        }
        default:
          return false;
      }
    },
  };
}

export function sendJson(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(document));
}

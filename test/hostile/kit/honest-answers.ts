import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Canaries } from './canaries.ts';

/** The endpoints that can be hostile. `refresh` is the token endpoint for refresh requests. */
export const places = ['mcp', 'prm', 'asm', 'register', 'authorize', 'token', 'refresh', 'revoke'] as const;
export type Place = (typeof places)[number];

export interface Scene {
  /** The MCP server, the authorization server, and a third host that no request should reach. */
  readonly origins: { readonly mcp: string; readonly auth: string; readonly elsewhere: string };
  readonly canaries: Canaries;
}

export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly scene: Scene;
}

/** One way to respond, at any endpoint. */
export type Behavior = (arrived: Arrived) => void;

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

export function resourceMetadata({ origins }: Scene): Record<string, unknown> {
  return { resource: `${origins.mcp}/mcp`, authorization_servers: [origins.auth], scopes_supported: ['read'] };
}

export function serverMetadata({ origins: { auth } }: Scene): Record<string, unknown> {
  return {
    issuer: auth,
    authorization_endpoint: `${auth}/authorize`,
    token_endpoint: `${auth}/token`,
    registration_endpoint: `${auth}/register`,
    revocation_endpoint: `${auth}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

export function registration({ canaries }: Scene, query: Record<string, unknown>): Record<string, unknown> {
  return {
    ...query,
    client_id: 'client',
    client_secret: canaries.clientSecret,
    client_secret_expires_at: 0,
    registration_access_token: canaries.registrationToken,
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

export function tokens({ canaries }: Scene): Record<string, unknown> {
  return {
    access_token: canaries.accessToken,
    refresh_token: canaries.refreshToken,
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'read',
  };
}

export function renewedTokens({ canaries }: Scene): Record<string, unknown> {
  return {
    ...tokens({ canaries } as Scene),
    access_token: canaries.renewedAccessToken,
    refresh_token: canaries.renewedRefreshToken,
  };
}

/** A minimal server that does everything right. */
export const honest: Readonly<Record<Place, Behavior>> = {
  mcp({ request, response, body, scene }) {
    const { accessToken, renewedAccessToken } = scene.canaries;
    const authorization = request.headers.authorization;
    if (authorization !== `Bearer ${accessToken}` && authorization !== `Bearer ${renewedAccessToken}`) {
      const metadata = `${scene.origins.mcp}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="read"` }).end();
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: scene.canaries.taunt, version: '1' },
      },
      'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    };
    const result = results[method];
    sendJson(
      response,
      result
        ? { jsonrpc: '2.0', id, result }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: scene.canaries.taunt } },
    );
  },
  prm: ({ response, scene }) => sendJson(response, resourceMetadata(scene)),
  asm: ({ response, scene }) => sendJson(response, serverMetadata(scene)),
  register({ response, body, scene }) {
    sendJson(response, registration(scene, JSON.parse(body) as Record<string, unknown>), 201);
  },
  authorize({ request, response, scene }) {
    const query = new URL(request.url ?? '', scene.origins.auth).searchParams;
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', scene.canaries.code);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', scene.origins.auth);
    response.writeHead(302, { location: back.href }).end();
  },
  token: ({ response, scene }) => sendJson(response, tokens(scene)),
  refresh: ({ response, scene }) => sendJson(response, renewedTokens(scene)),
  revoke: ({ response }) => void response.writeHead(200).end(),
};

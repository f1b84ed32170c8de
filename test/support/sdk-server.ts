import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { AuthorizationParams, OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import express from 'express';
import type { Request, RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface SdkServerOptions {
  /** Seconds. The router's default is 30 days. */
  readonly clientSecretSeconds?: number;
  readonly accessTokenSeconds?: number;
  readonly scopesSupported?: string[];
  /** Runs before the router. */
  readonly before?: RequestHandler;
  /** The metadata URL in the challenge. Default: the router's. */
  readonly challenge?: 'none';
  /** Uses sessions (`Mcp-Session-Id`), and ends one before its next request while this returns true. */
  readonly endsSession?: (rpcMethod: unknown) => boolean;
}

export interface SdkServer {
  readonly url: string;
  readonly origin: string;
  /** `METHOD path status`, oldest first. */
  readonly log: readonly string[];
  /** Accepted authorization requests. */
  readonly authorizations: readonly AuthorizationParams[];
  /** Forgets every client, like a restarted server that stores them in memory. */
  forgetClients(): void;
}

interface Grant {
  readonly client: string;
  readonly scopes: string[];
  readonly resource?: URL | undefined;
  readonly expiresAt: number;
}

/**
 * A typical MCP server with version 1 of the official SDK: express, the SDK's authorization router and MCP server in
 * one process at one origin. Everyone is signed in at once.
 */
export async function startSdkServer(options: SdkServerOptions = {}): Promise<SdkServer> {
  const clients = new Map<string, OAuthClientInformationFull>();
  const authorizations: AuthorizationParams[] = [];
  const log: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const provider = createProvider(clients, authorizations, options.accessTokenSeconds ?? 3_600);
  const app = express();
  const server = createServer((request, response) => {
    // Routers rewrite the URL.
    const requestLine = `${request.method} ${request.url?.split('?')[0]}`;
    response.once('finish', () => log.push(`${requestLine} ${response.statusCode}`));
    app(request, response);
  });
  const { origin } = await listenOnLoopback(server);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const resource = new URL('/mcp', origin);
  if (options.before) app.use(options.before);
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: resource,
      ...(options.scopesSupported && { scopesSupported: options.scopesSupported }),
      clientRegistrationOptions: {
        rateLimit: false,
        ...(options.clientSecretSeconds !== undefined && { clientSecretExpirySeconds: options.clientSecretSeconds }),
      },
    }),
  );
  const gate = requireBearerAuth({
    verifier: provider,
    ...(options.challenge !== 'none' && {
      resourceMetadataUrl: new URL('/.well-known/oauth-protected-resource/mcp', origin).href,
    }),
  });
  app.all('/mcp', gate, express.json(), (request: Request, response) => {
    const { endsSession } = options;
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const rpcMethod = (request.body as { method?: unknown } | undefined)?.method;
    if (known !== undefined && endsSession?.(rpcMethod) === true) sessions.delete(known.sessionId ?? '');
    const id = request.headers['mcp-session-id'];
    if (endsSession !== undefined && id !== undefined && !sessions.has(String(id))) {
      // As in the SDK's examples; MCP 2025-11-25, session management 3.
      response.status(404).json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null });
      return;
    }
    const transport = known ?? createTransport();
    (known === undefined ? createNotes().connect(transport) : Promise.resolve())
      .then(() => transport.handleRequest(request, response, request.body))
      .catch(() => response.status(500).json({}));
  });

  function createTransport(): StreamableHTTPServerTransport {
    if (options.endsSession === undefined) return new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        log.push(`session ${log.filter((line) => line.startsWith('session')).length + 1}`);
      },
    });
    return transport;
  }

  return { url: resource.href, origin, log, authorizations, forgetClients: () => clients.clear() };
}

function createNotes(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' });
  server.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: 'You are known.' }] }));
  server.registerTool('word_count', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text: `${text.split(' ').length} words` }],
  }));
  return server;
}

function createProvider(
  clients: Map<string, OAuthClientInformationFull>,
  authorizations: AuthorizationParams[],
  seconds: number,
): OAuthServerProvider {
  const codes = new Map<string, AuthorizationParams & { readonly client: string }>();
  const refreshable = new Map<string, Omit<Grant, 'expiresAt'>>();
  const tokens = new Map<string, Grant>();

  function issue(grant: Omit<Grant, 'expiresAt'>): OAuthTokens {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    tokens.set(accessToken, { ...grant, expiresAt: Math.floor(Date.now() / 1000) + seconds });
    refreshable.set(refreshToken, grant);
    return { access_token: accessToken, token_type: 'bearer', expires_in: seconds, refresh_token: refreshToken };
  }

  return {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        const registered = client as OAuthClientInformationFull;
        clients.set(registered.client_id, registered);
        return registered;
      },
    },
    async authorize(client, parameters, response) {
      authorizations.push(parameters);
      const code = randomUUID();
      codes.set(code, { ...parameters, client: client.client_id });
      const target = new URL(parameters.redirectUri);
      target.searchParams.set('code', code);
      if (parameters.state !== undefined) target.searchParams.set('state', parameters.state);
      response.redirect(302, target.href);
    },
    async challengeForAuthorizationCode(client, code) {
      const known = codes.get(code);
      if (known?.client !== client.client_id) throw new InvalidGrantError('The code is not known.');
      return known.codeChallenge;
    },
    async exchangeAuthorizationCode(client, code, _verifier, redirectUri, resource) {
      const known = codes.get(code);
      codes.delete(code);
      if (known?.redirectUri !== redirectUri) throw new InvalidGrantError('The code is not for this address.');
      if (known?.resource?.href !== resource?.href) throw new InvalidGrantError('The code is for another resource.');
      return issue({ client: client.client_id, scopes: known?.scopes ?? [], resource });
    },
    async exchangeRefreshToken(client, refreshToken) {
      const known = refreshable.get(refreshToken);
      refreshable.delete(refreshToken);
      if (known?.client !== client.client_id) throw new InvalidGrantError('The refresh token is not known.');
      return issue(known);
    },
    async verifyAccessToken(token) {
      const grant = tokens.get(token);
      if (grant === undefined) throw new InvalidTokenError('The token is not known.');
      const { client, scopes, resource, expiresAt } = grant;
      return { token, clientId: client, scopes, expiresAt, ...(resource && { resource }) };
    },
    async revokeToken(_client, { token }) {
      tokens.delete(token);
      refreshable.delete(token);
    },
  };
}

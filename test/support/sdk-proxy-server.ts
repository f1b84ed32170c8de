import { createServer } from 'node:http';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ProxyOAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/providers/proxyProvider.js';
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import express from 'express';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface SdkProxyServer {
  readonly issuer: string;
  /** `METHOD path status`, oldest first. */
  readonly log: readonly string[];
}

/** The authorization router of the official SDK (version 1) in front of the authorization server at `upstream`. */
export async function startSdkProxyServer(upstream: string): Promise<SdkProxyServer> {
  const clients = new Map<string, OAuthClientInformationFull>();
  const log: string[] = [];
  const registrationUrl = `${upstream}/register`;
  const provider = new ProxyOAuthServerProvider({
    endpoints: { authorizationUrl: `${upstream}/authorize`, tokenUrl: `${upstream}/token`, registrationUrl },
    getClient: (id) => Promise.resolve(clients.get(id)),
    verifyAccessToken: () => Promise.reject(new InvalidTokenError('It takes no tokens itself.')),
    // Clients are registered upstream; such a proxy stores the upstream's responses.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (String(url) === registrationUrl && response.ok) {
        const client = (await response.clone().json()) as OAuthClientInformationFull;
        clients.set(client.client_id, client);
      }
      return response;
    },
  });
  const app = express();
  const server = createServer((request, response) => {
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
  const issuerUrl = new URL(origin);
  app.use(mcpAuthRouter({ provider, issuerUrl, clientRegistrationOptions: { rateLimit: false } }));
  return { issuer: issuerUrl.href, log };
}

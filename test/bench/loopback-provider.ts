import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';

export interface SavedClient {
  client?: OAuthClientInformationMixed | undefined;
  tokens?: OAuthTokens | undefined;
}

/** The minimum for an app with the official client: a callback listener, and storage for what it received. */
export async function openLoopbackProvider(
  saved: SavedClient,
): Promise<{ provider: OAuthClientProvider; callback: Promise<URLSearchParams> }> {
  const { promise: callback, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    resolve(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams);
    response.end('Done');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  let verifier = '';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Bench',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => saved.client,
    saveClientInformation: (client) => void (saved.client = client),
    tokens: () => saved.tokens,
    saveTokens: (tokens) => void (saved.tokens = tokens),
    codeVerifier: () => verifier,
    saveCodeVerifier: (value) => void (verifier = value),
    redirectToAuthorization: (url) => console.log(JSON.stringify({ event: 'authorization', url: url.href })),
  };
  return { provider, callback };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';

export interface Kept {
  client?: OAuthClientInformationMixed | undefined;
  tokens?: OAuthTokens | undefined;
}

/** The least that a program on the official client has to bring: a callback listener, and a place for what it got. */
export async function openLoopbackProvider(
  kept: Kept,
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
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    codeVerifier: () => verifier,
    saveCodeVerifier: (value) => void (verifier = value),
    redirectToAuthorization: (url) => console.log(JSON.stringify({ event: 'authorization', url: url.href })),
  };
  return { provider, callback };
}

import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The suite's data about the company's identity provider, where the user has signed in already. */
export interface SignedInProvider {
  readonly clientId: string;
  readonly idToken: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
}

export interface ProviderFront {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  close(): void;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * The suite's identity provider exchanges tokens and has no sign-in page. This adds the page and the code exchange; a
 * token exchange is forwarded to the suite, with its own ID token in place of the one issued for the code.
 */
export async function startProviderFront(provider: SignedInProvider): Promise<ProviderFront> {
  const { clientId, idToken, issuer, tokenEndpoint } = provider;
  let given = '';
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = String(new URLSearchParams({ code: 'signed-in', state: searchParams.get('state') ?? '' }));
      const [, claims = ''] = idToken.split('.');
      const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
      given = `${part({ alg: 'ES256' })}.${part({ ...said, nonce: searchParams.get('nonce') ?? undefined })}.c2lnbmVk`;
      return response.writeHead(302, { location: back.href }).end();
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const form = new URLSearchParams(text);
    const headers = { 'content-type': 'application/json' };
    if (form.get('grant_type') === 'authorization_code') {
      const reply = { access_token: 'at-the-provider', token_type: 'Bearer', expires_in: 3_600, id_token: given };
      return response.writeHead(200, headers).end(JSON.stringify(reply));
    }
    if (form.get('subject_token') === given && form.get('client_id') === clientId) form.set('subject_token', idToken);
    const exchanged = await fetch(tokenEndpoint, { method: 'POST', body: form });
    return response.writeHead(exchanged.status, headers).end(await exchanged.text());
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

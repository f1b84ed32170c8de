import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RotatingGrants } from './rotating-grants.ts';
import type { IssuedPair } from './rotating-grants.ts';

export interface RotatingServerOptions {
  /** Token lifetime in seconds. */
  readonly life?: number;
  /** Sees a token request before it is processed; returns true if it answered (or cut) the request itself. */
  readonly beforeToken?: (request: TokenRequest) => boolean | Promise<boolean>;
  /** Sees a token response before it is sent; returns true if it cut the response off. */
  readonly afterToken?: (request: TokenRequest, pair: IssuedPair) => boolean | Promise<boolean>;
  /**
   * Makes the sign-in page reject this client: with 400 and no redirect (RFC 6749 4.1.2.1), or a redirect with this
   * error.
   */
  readonly isForgotten?: (clientId: string) => boolean | Readonly<Record<string, string>>;
  /** Returns true for an access token that the MCP server rejects regardless of its grant. */
  readonly reject?: (token: string) => boolean;
  /** While it returns true, the MCP server requires no token. */
  readonly isOpen?: () => boolean;
  /** See `RotatingGrants`. */
  readonly isGraceful?: boolean;
  /** Additional members of each token response, such as `scope`. */
  readonly tokenMembers?: object;
}

export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

export interface RotatingServer {
  readonly origin: string;
  readonly url: string;
  readonly grants: RotatingGrants;
  /** Client ID by grant. */
  readonly clients: Map<string, string>;
  /** Grants whose token was presented by another client. */
  readonly mixed: string[];
  /** Grants that a client has revoked (RFC 7009). */
  readonly revoked: Set<string>;
  /** Answers a GET of the token endpoint. Default: 405. */
  onTokenGet: (response: ServerResponse) => void;
  /** Stops listening and cuts open connections. */
  goOffline(): void;
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A minimal authorization server and MCP server at one origin, fast enough for hundreds of sign-ins: registers
 * everyone, signs everyone in without a page, rotates tokens, and ends a grant when a refresh token is reused.
 */
export async function startRotatingServer(options: RotatingServerOptions = {}): Promise<RotatingServer> {
  const { life = 3_600 } = options;
  const grants = new RotatingGrants(options.isGraceful);
  const clients = new Map<string, string>();
  const codes = new Map<string, string>();
  const issuedAt = new Map<string, number>();
  const mixed: string[] = [];
  const revoked = new Set<string>();
  let count = 0;

  const server = createServer((message, response) => {
    answer(message, response).catch(() => response.destroy());
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}/mcp`;

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(message.url ?? '/', origin);
    if (options.isOpen?.() === true && pathname.startsWith('/.well-known/')) return void response.writeHead(404).end();
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(response, 200, { resource: url, authorization_servers: [origin] });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/register': {
        const registration = JSON.parse(await read(message)) as Record<string, unknown>;
        count += 1;
        return json(response, 201, { ...registration, client_id: `client-${count}` });
      }
      case '/authorize': {
        const forgotten = options.isForgotten?.(searchParams.get('client_id') ?? '');
        if (forgotten === true) {
          return void response.writeHead(400, { 'content-type': 'text/html' }).end('<h1>Unknown client</h1>');
        }
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        const code = `code-${(count += 1)}`;
        if (!forgotten) codes.set(code, searchParams.get('client_id') ?? '');
        const redirected = forgotten ? forgotten : { code };
        back.search = new URLSearchParams({ ...redirected, state: searchParams.get('state') ?? '' }).toString();
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token':
        if (message.method !== 'POST') return rotating.onTokenGet(response);
        return await answerToken({ form: new URLSearchParams(await read(message)), message, response });
      case '/revoke': {
        const token = new URLSearchParams(await read(message)).get('token') ?? '';
        const [, id = ''] = /^[ar]:(.+):\d+$/.exec(token) ?? [];
        revoked.add(id);
        return void response.writeHead(200).end();
      }
      case '/mcp':
        return await answerMcp(message, response);
      default:
        return void response.writeHead(404).end();
    }
  }

  async function answerToken(request: TokenRequest): Promise<void> {
    if ((await options.beforeToken?.(request)) === true) return;
    const pair = request.form.get('grant_type') === 'refresh_token' ? refresh(request.form) : redeem(request.form);
    if (pair && (await options.afterToken?.(request, pair)) === true) return;
    if (!pair) return json(request.response, 400, { error: 'invalid_grant' });
    issuedAt.set(pair.accessToken, performance.now());
    json(request.response, 200, {
      access_token: pair.accessToken,
      refresh_token: pair.refreshToken,
      token_type: 'Bearer',
      expires_in: life,
      ...options.tokenMembers,
    });
  }

  function redeem(form: URLSearchParams): IssuedPair | undefined {
    const code = form.get('code') ?? '';
    const client = codes.get(code);
    codes.delete(code);
    if (client === undefined || client !== form.get('client_id')) return undefined;
    const pair = grants.begin(`grant-${code}`);
    clients.set(pair.grant.id, client);
    return pair;
  }

  function refresh(form: URLSearchParams): IssuedPair | undefined {
    const refreshToken = form.get('refresh_token') ?? '';
    const [, id = ''] = /^r:(.+):\d+$/.exec(refreshToken) ?? [];
    const client = clients.get(id);
    if (client !== undefined && client !== form.get('client_id')) {
      mixed.push(id);
      return undefined;
    }
    return grants.refresh(refreshToken);
  }

  async function answerMcp(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(message);
    const token = message.headers.authorization?.replace('Bearer ', '') ?? '';
    const age = performance.now() - (issuedAt.get(token) ?? performance.now());
    const isTaken = grants.accepts(token) || (options.isOpen?.() === true && token === '');
    if (!isTaken || age > life * 1_000 || options.reject?.(token) === true) {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (message.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method];
    if (result) return json(response, 200, { jsonrpc: '2.0', id, result });
    json(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } });
  }

  const rotating: RotatingServer = {
    origin,
    url,
    grants,
    clients,
    mixed,
    revoked,
    onTokenGet: (response) => void response.writeHead(405).end(),
    goOffline() {
      server.close();
      server.closeAllConnections();
    },
    goOnline: () => listen(port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return rotating;
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'rotating', version: '1' },
  },
  'tools/list': { tools: [{ name: 'nothing', inputSchema: { type: 'object' } }] },
};

async function read(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

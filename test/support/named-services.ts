import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HttpOptions } from '../../main/net/http/http.ts';
import { chooseProxy, readProxySettings } from '../../main/net/http/proxy-settings.ts';
import { startProxy } from '../hostile/kit/recording-proxy.ts';
import { pem, serveHttps } from './loopback-server.ts';

type Document = Record<string, unknown>;

export interface ReceivedRequest {
  readonly name: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Basic credentials decoded, then the body. */
  readonly text: string;
}

/** Services of several owners: public https names that only this proxy resolves. Stopped after the test. */
export interface NamedServices {
  /** `https://NAME:PORT`. */
  at(name: string): string;
  readonly mcpUrl: string;
  /** All requests to a name, or to one of its paths; oldest first. */
  requestsTo(name: string, path?: string): readonly ReceivedRequest[];
  /** Sets the metadata of a name's authorization server; without a document it has none. */
  publish(name: string, document: Document | undefined): void;
  /** Sets the authorization servers that the MCP server names. */
  nameServers(...issuers: readonly string[]): void;
  /** Makes the sign-in page of `name` redirect the browser to that of `to`, with the request unchanged. */
  redirectSignIn(name: string, to: string): void;
  /** Runs before the next registration response. */
  onRegister(run: () => void): void;
  /** Metadata with every endpoint at `name`. */
  metadata(name: string): Document;
  /** For an engine in this process. */
  readonly http: HttpOptions;
  /** For the app. */
  readonly env: Readonly<Record<string, string>>;
  /** A browser without a user: follows redirects from the sign-in page to the callback and returns its response. */
  follow(url: string): Promise<void>;
}

/** An MCP server at `mcpName`, and an authorization server at every other name in the certificate. */
export async function startNamedServices(mcpName = 'mcp.test'): Promise<NamedServices> {
  const documents = new Map<string, Document | undefined>();
  const arrivals: ReceivedRequest[] = [];
  const pages = new Map<string, string>();
  let servers: readonly string[] = [];
  let beforeRegistration = (): void => {};
  const server = await serveHttps(
    (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        const name = request.headers.host?.split(':')[0] ?? '';
        const url = new URL(request.url ?? '/', at(name));
        const basic = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
        arrivals.push({ name, path: url.pathname, query: url.searchParams, text: `${basic} ${body}` });
        if (url.pathname === '/register') beforeRegistration();
        if (name === mcpName) serveMcp({ at, mcpName, servers }, request, response, body);
        else serveSignIn({ at, documents, pages }, name, url, response, body);
      });
    },
    { key: pem('named-key'), cert: pem('named') },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  const proxy = await startProxy();
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-named-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const authority = path.join(folder, 'authority.pem');
  writeFileSync(authority, pem('named-authority'));
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '', NODE_EXTRA_CA_CERTS: authority };
  const settings = readProxySettings(env);

  function at(name: string): string {
    return `https://${name}:${server.port}`;
  }

  return {
    at,
    mcpUrl: `${at(mcpName)}/mcp`,
    requestsTo: (name, where) => arrivals.filter((one) => one.name === name && (where ?? one.path) === one.path),
    publish: (name, document) => void documents.set(name, document),
    nameServers: (...issuers) => void (servers = issuers),
    redirectSignIn: (name, to) => void pages.set(name, to),
    onRegister: (run) =>
      void (beforeRegistration = () => {
        beforeRegistration = () => {};
        run();
      }),
    metadata: (name) => ({
      issuer: at(name),
      authorization_endpoint: `${at(name)}/authorize`,
      token_endpoint: `${at(name)}/token`,
      registration_endpoint: `${at(name)}/register`,
      revocation_endpoint: `${at(name)}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }),
    http: { ca: [pem('named-authority')], proxyFor: async (target) => chooseProxy(settings, target) },
    env,
    follow: async (url) => {
      let next: URL | undefined = new URL(url);
      for (let step = 0; next !== undefined && step < 5; step += 1) next = await visit(next);
    },
  };
}

function sendJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

interface McpScene {
  readonly at: (name: string) => string;
  readonly mcpName: string;
  readonly servers: readonly string[];
}

function serveMcp(
  { at, mcpName, servers }: McpScene,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): void {
  if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
    return sendJson(response, { resource: `${at(mcpName)}/mcp`, authorization_servers: servers });
  }
  if (request.url !== '/mcp') return void response.writeHead(404).end();
  if (!request.headers.authorization?.startsWith('Bearer token-of-')) {
    const metadata = `${at(mcpName)}/.well-known/oauth-protected-resource/mcp`;
    return void response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  }
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = JSON.parse(body) as { id?: number; method: string };
  if (id === undefined) return void response.writeHead(202).end();
  const results: Document = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'Named', version: '1' },
    },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  };
  const result = results[method];
  sendJson(response, { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) });
}

interface SignInScene {
  readonly at: (name: string) => string;
  readonly documents: ReadonlyMap<string, Document | undefined>;
  readonly pages: ReadonlyMap<string, string>;
}

/**
 * Every value contains its origin: `client-of-NAME`, `secret-of-NAME`, `code-of-NAME`, `token-of-NAME`, `ada@NAME`. The
 * redirect contains `iss` if the metadata says so (RFC 9207 section 3).
 */
function serveSignIn(
  { at, documents, pages }: SignInScene,
  name: string,
  { pathname, searchParams, search }: URL,
  response: ServerResponse,
  body: string,
): void {
  if (pathname === '/.well-known/oauth-authorization-server' && documents.get(name)) {
    return sendJson(response, documents.get(name));
  }
  switch (pathname) {
    case '/register':
      return sendJson(
        response,
        {
          ...(JSON.parse(body) as Document),
          client_id: `client-of-${name}`,
          client_secret: `secret-of-${name}`,
          client_secret_expires_at: 0,
        },
        201,
      );
    case '/authorize': {
      const other = pages.get(name);
      if (other !== undefined)
        return void response.writeHead(302, { location: `${at(other)}/authorize${search}` }).end();
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', `code-of-${name}`);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      const { issuer, authorization_response_iss_parameter_supported: namesIssuer } = documents.get(name) ?? {};
      if (namesIssuer === true) back.searchParams.set('iss', String(issuer));
      return void response.writeHead(302, { location: back.href }).end();
    }
    case '/token':
      return sendJson(response, {
        access_token: `token-of-${name}`,
        refresh_token: `refresh-of-${name}`,
        token_type: 'Bearer',
        expires_in: 3_600,
        email: `ada@${name}`,
      });
    case '/revoke':
      return void response.writeHead(200).end();
    default:
      return void response.writeHead(404).end();
  }
}

/** Resolves every name to this machine for the browser. */
function visit(url: URL): Promise<URL | undefined> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup: LookupFunction = (_name, { all }, callback) =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    request(url, { ca: pem('named-authority'), agent: false, lookup }, (response) => {
      response.resume();
      const { location } = response.headers;
      resolve(location === undefined ? undefined : (URL.parse(location, url.href) ?? undefined));
    })
      .on('error', reject)
      .end();
  });
}

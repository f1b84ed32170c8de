import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { registerAssertionGrants } from './assertion-grants.ts';
import type {
  AuthorizationServer,
  AuthorizationServerOptions,
  Metadata,
  MetadataForm,
  RecordedRequest,
} from './authorization-server-options.ts';
import { createInteractions } from './interactions.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { buildProviderConfiguration } from './provider-configuration.ts';
import { createRecordStore } from './record-store.ts';
import { supportedScopes } from './scopes.ts';

const style = readFileSync(new URL('./pages/style.css', import.meta.url));
const introspectionClientId = 'mcp-server';

/**
 * Starts an authorization server on 127.0.0.1: oidc-provider behind one HTTP server, with its pages and metadata forms.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const issuerPath = options.issuerPath ?? '';
  const store = createRecordStore(options.storeFile);
  const resources = new Map<string, readonly string[]>();
  const requests: RecordedRequest[] = [];
  const records = new WeakMap<IncomingMessage, RecordedRequest>();
  const introspectionClient = {
    clientId: introspectionClientId,
    clientSecret: store.secret('introspection-secret', () => randomBytes(32).toString('base64url')),
  };
  const wellKnown = wellKnownPaths(issuerPath, options.metadataForms ?? ['oauth', 'oidc-inserted', 'oidc-appended']);

  const server = createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const bound = await listenOnLoopback(server, options.port);
  const { port } = bound;
  const host = options.hostname === undefined ? bound.host : `${options.hostname}:${port}`;
  const origin = `http://${host}`;
  const issuer = `${origin}${issuerPath}`;
  const provider = new Provider(
    issuer,
    buildProviderConfiguration({ options, store, issuerPath, resources, introspectionClient }),
  );
  registerAssertionGrants(provider, options, resources, options.accessTokenSeconds ?? 60 * 60);
  const interactions = createInteractions(provider, { issuerPath, options });

  provider.use(async (context, next) => {
    await next();
    const record = records.get(context.req);
    if (record !== undefined && context.oidc?.body !== undefined) record.body = context.oidc.body;
    if (context.oidc?.route === 'device_authorization' && context.status === 200 && options.deviceSignIn?.interval) {
      context.body = { ...(context.body as object), interval: options.deviceSignIn.interval };
    }
    const route = context.oidc?.route ?? '';
    if (route === 'token' || route === 'registration' || route === 'device_authorization') {
      const { status, body } = context;
      const response = options.answer?.(route, { status, body }, record);
      if (response !== undefined) {
        Object.assign(context, { body: response.body, status: response.status });
        if (response.type !== undefined) context.type = response.type;
      }
    }
    if (context.oidc?.route !== 'discovery') return;
    // oidc-provider always supports `openid`; list only what was configured.
    const scopes = { scopes_supported: options.scopesSupported ?? supportedScopes };
    const document = { ...(context.body as Metadata), ...scopes };
    context.body = options.metadata?.(document) ?? document;
  });

  // Not earlier: the callback uses the middleware that exists when it is created.
  const handle = provider.callback();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const record: RecordedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
    };
    requests.push(record);
    records.set(request, record);
    response.once('finish', () => (record.status = response.statusCode));
    if ((await options.intercept?.(request, response)) === true) return;
    // Rejects pages of sites whose name resolves to this computer (DNS rebinding).
    if (!isOurName(request.headers.host)) return refuse(response, 421);
    if (wellKnown.has(url.pathname)) return forward(request, response, '/.well-known/oauth-authorization-server');
    if (!url.pathname.startsWith(`${issuerPath}/`)) return refuse(response, 404);
    const route = url.pathname.slice(issuerPath.length);
    if (route === '/style.css') {
      response.writeHead(200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' }).end(style);
    } else if (route === '/register' && options.registration === 'refuse') {
      sendJson(response, 403, { error: 'access_denied', error_description: 'Registration is closed.' });
    } else if (route.startsWith('/interaction/')) {
      await interactions(request, response, route.slice('/interaction/'.length));
    } else if (route.startsWith('/.well-known/')) {
      refuse(response, 404);
    } else {
      await forward(request, response, `${route}${url.search}`);
    }
  }

  /** Every name below `localhost` belongs to this computer (RFC 6761 6.3), so no other site can point one here. */
  function isOurName(name = ''): boolean {
    const isTenant = options.hostname !== undefined && name.endsWith(`.localhost:${port}`);
    return isTenant || name === host || name === bound.host || name === `localhost:${port}`;
  }

  /** oidc-provider derives its mount path from the difference of the two URLs, and its origin from `Host`. */
  function forward(request: IncomingMessage, response: ServerResponse, route: string): Promise<void> {
    request.headers.host = host;
    Object.assign(request, { originalUrl: `${issuerPath}${route}`, url: route });
    return handle(request, response);
  }

  return {
    issuer,
    origin,
    port,
    requests,
    addResource: (resource, scopes) => void resources.set(resource, scopes),
    introspection: { endpoint: `${bound.origin}${issuerPath}/introspect`, ...introspectionClient },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function wellKnownPaths(issuerPath: string, forms: readonly MetadataForm[]): ReadonlySet<string> {
  const paths: Record<MetadataForm, string> = {
    oauth: `/.well-known/oauth-authorization-server${issuerPath}`,
    'oidc-inserted': `/.well-known/openid-configuration${issuerPath}`,
    'oidc-appended': `${issuerPath}/.well-known/openid-configuration`,
  };
  return new Set(forms.map((form) => paths[form]));
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${status}\n`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

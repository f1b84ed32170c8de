import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import { createNotesServer } from '../demo/notes-server.ts';
import type { ScriptedUser } from './test-engine.ts';

/** The part of better-auth that is used here; the package may not be installed. */
interface BetterAuth {
  readonly handler: (request: Request) => Promise<Response>;
  readonly api: { getMcpSession(input: { headers: Headers }): Promise<McpSession | null> };
}

interface McpSession {
  readonly clientId: string;
  readonly scopes: string;
}

type AnswerMetadata = (auth: BetterAuth) => (request: Request) => Promise<Response>;

interface Packages {
  readonly betterAuth: (options: object) => BetterAuth;
  readonly memoryAdapter: (tables: object) => unknown;
  readonly mcp: (options: object) => unknown;
  readonly oAuthDiscoveryMetadata: AnswerMetadata;
  readonly oAuthProtectedResourceMetadata: AnswerMetadata;
}

/** `undefined` when better-auth is not installed. */
export async function findBetterAuth(): Promise<Packages | undefined> {
  // Imported through variables, so that TypeScript does not look for types.
  const entries = ['better-auth', 'better-auth/plugins', 'better-auth/adapters/memory'];
  try {
    const parts = await Promise.all(entries.map(async (name) => (await import(/* @vite-ignore */ name)) as object));
    return Object.assign({}, ...parts) as Packages;
  } catch {
    return undefined;
  }
}

const tableNames = [
  'user',
  'session',
  'account',
  'verification',
  'oauthApplication',
  'oauthAccessToken',
  'oauthConsent',
];
const account = { email: 'demo@example.com', password: 'correct-horse', name: 'Demo' };

export interface BetterAuthServer {
  readonly url: string;
  readonly origin: string;
  /** `METHOD path status`, oldest first. */
  readonly log: readonly string[];
  /** Signs in by password. */
  readonly user: ScriptedUser;
  /** Deletes access and refresh tokens, as a restart without a database would. */
  forgetTokens(): void;
}

/** A web application with better-auth and its MCP plugin, set up as its documentation shows. */
export async function startBetterAuthServer(packages: Packages): Promise<BetterAuthServer> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    const requestLine = `${request.method} ${request.url?.split('?')[0]}`;
    response.once('finish', () => log.push(`${requestLine} ${response.statusCode}`));
    void handle(request, response);
  });
  const { origin } = await listenOnLoopback(server);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const tables: Record<string, unknown[]> = Object.fromEntries(tableNames.map((name) => [name, []]));
  const auth = packages.betterAuth({
    baseURL: origin,
    secret: 'a-secret-of-the-tests-that-is-long-enough',
    database: packages.memoryAdapter(tables),
    emailAndPassword: { enabled: true },
    plugins: [packages.mcp({ loginPage: `${origin}/sign-in` })],
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
  });
  const mcp = createMcpHandler(({ authInfo }) => createNotesServer(new Map(), authInfo));
  const published: Record<string, (request: Request) => Promise<Response>> = {
    '/.well-known/oauth-authorization-server': packages.oAuthDiscoveryMetadata(auth),
    '/.well-known/oauth-protected-resource': packages.oAuthProtectedResourceMetadata(auth),
  };
  const handle = toNodeHandler({
    fetch: async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === '/mcp') return serveMcp(request);
      return (await published[pathname]?.(request)) ?? auth.handler(request);
    },
  }) as (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  async function serveMcp(request: Request): Promise<Response> {
    const session = await auth.api.getMcpSession({ headers: request.headers });
    if (session === null) {
      const challenge = `Bearer resource_metadata="${origin}/api/auth/.well-known/oauth-protected-resource"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    }
    const scopes = session.scopes.split(' ');
    return mcp.fetch(request, { authInfo: { token: 'known', clientId: session.clientId, scopes } });
  }

  const post = (route: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/api/auth/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
    });
  await post('sign-up/email', account);

  return {
    url: `${origin}/mcp`,
    origin,
    log,
    forgetTokens: () => void tables['oauthAccessToken']?.splice(0),
    user: async ({ url }, signal) => {
      const page = await fetch(url, { redirect: 'manual', signal });
      const cookie = page.headers
        .getSetCookie()
        .map((field) => field.split(';')[0])
        .join('; ');
      const signedIn = await post('sign-in/email', account, { cookie });
      const text = await signedIn.text();
      const target = signedIn.headers.get('location') ?? (JSON.parse(text) as { url?: string }).url ?? '';
      await fetch(target, { signal });
    },
  };
}

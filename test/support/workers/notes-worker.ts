import { insufficientScope, OAuthProvider } from '@cloudflare/workers-oauth-provider';
import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createNotesServer } from '../../demo/notes-server.ts';

/** Runs in workerd: an MCP server and its authorization server in one Worker, at one origin. */

interface Environment {
  readonly ORIGIN: string;
  readonly OAUTH_PROVIDER: OAuthHelpers;
}

interface ApiContext {
  readonly auth: { readonly token: string; readonly scope: string[]; readonly clientId: string };
  readonly props: { readonly username: string };
}

const notes = new Map<string, string[]>();
const mcp = createMcpHandler(({ authInfo }) => createNotesServer(notes, authInfo));

const apiHandler = {
  async fetch(request: Request, _environment: Environment, context: ApiContext): Promise<Response> {
    const { auth, props } = context;
    const message = (await request
      .clone()
      .json()
      .catch(() => ({}))) as { params?: { name?: string } };
    const needed = message.params?.name === 'delete_notes' ? ['notes:read', 'notes:admin'] : ['notes:read'];
    if (!needed.every((scope) => auth.scope.includes(scope))) {
      return insufficientScope(auth as Parameters<typeof insufficientScope>[0], needed);
    }
    const authInfo = { token: auth.token, clientId: auth.clientId, scopes: auth.scope, extra: props };
    return mcp.fetch(request, { authInfo });
  },
};

/** Signs everyone in as the same user and grants every request. */
const defaultHandler = {
  async fetch(request: Request, { OAUTH_PROVIDER }: Environment): Promise<Response> {
    if (new URL(request.url).pathname !== '/authorize') return new Response('Not here', { status: 404 });
    const authorization = await OAUTH_PROVIDER.parseAuthRequest(request);
    const { redirectTo } = await OAUTH_PROVIDER.completeAuthorization({
      request: authorization,
      userId: 'demo',
      metadata: {},
      scope: authorization.scope,
      props: { username: 'demo' },
    });
    return Response.redirect(redirectTo, 302);
  },
};

function createProvider(origin: string) {
  return new OAuthProvider<Environment>({
    apiRoute: '/mcp',
    apiHandler: apiHandler as never,
    defaultHandler: defaultHandler as never,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/oauth/token',
    clientRegistrationEndpoint: '/oauth/register',
    accessTokenTTL: 3_600,
    scopesSupported: ['notes:read', 'notes:write', 'notes:admin', 'offline_access'],
    requiredScopes: ['notes:read'],
    resourceMetadata: { resource: `${origin}/mcp`, authorization_servers: [origin] },
  });
}

let provider: ReturnType<typeof createProvider> | undefined;

// A Worker must be the default export.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch(request: Request, environment: Environment, context: never): Promise<Response> {
    provider ??= createProvider(environment.ORIGIN);
    return provider.fetch(request, environment, context);
  },
};

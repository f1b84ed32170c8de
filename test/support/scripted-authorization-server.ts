import { ok, strictEqual } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { AuthorizationServer } from '../demo/authorization-server-options.ts';
import { startScriptedServer } from './scripted-server.ts';
import type { Received, Reply, Route } from './scripted-server.ts';

type Document = Record<string, unknown>;

export interface ScriptedAuthorizationServerOptions {
  readonly metadata?: Document;
  /** Sees a registration first; a returned response rejects it. */
  readonly register?: (body: Document) => Reply | undefined;
  /** Members of a registration response besides ID and secret. */
  readonly registered?: Document;
  /** ID and secret of every client; both must match exactly, with any authentication method. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** The only accepted authentication method; `raw`: a Basic header that is compared without decoding. */
  readonly authentication: 'form' | 'basic' | 'raw';
  /** The response to a client without credentials. Default: 401 `invalid_client`. */
  readonly clientRefusal?: Reply;
  /** A code sent with the wrong authentication method is consumed. */
  readonly burnsCodes?: boolean;
  /** The error in the redirect of an authorization request. */
  readonly refuseAuthorization?: string;
  /** The `error_description` with it. */
  readonly refusalDescription?: string;
  /** Rejects `resource` at the token endpoint. */
  readonly refusesResource?: boolean;
  /** Sees a token request first. */
  readonly token?: (form: URLSearchParams) => Reply | undefined;
}

export interface ScriptedAuthorizationServer extends Pick<
  AuthorizationServer,
  'issuer' | 'introspection' | 'addResource'
> {
  /** Number of requests per path. */
  count(path: string): number;
}

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
  readonly resource: string;
}

/** A small authorization server, strict except for its quirks: an invalid request fails the test. */
export async function startScriptedAuthorizationServer(
  options: ScriptedAuthorizationServerOptions,
): Promise<ScriptedAuthorizationServer> {
  const client = options.client ?? { id: randomUUID(), secret: randomUUID() };
  const redirectUris = new Set<string>();
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();

  const register: Route = ({ text }) => {
    const body = JSON.parse(text) as Document;
    const refusal = options.register?.(body);
    if (refusal) return refusal;
    ok(Array.isArray(body['redirect_uris']), 'redirect_uris is no list');
    for (const uri of body['redirect_uris']) redirectUris.add(String(uri));
    const json = { client_id: client.id, client_secret: client.secret, ...options.registered };
    return { status: 201, json };
  };

  const authorize: Route = ({ query }) => {
    const read = (name: string): string => {
      const [value, ...more] = query.getAll(name);
      ok(value !== undefined && more.length === 0, `${name} has to be there once`);
      return value;
    };
    strictEqual(read('response_type'), 'code');
    strictEqual(read('client_id'), client.id);
    strictEqual(read('code_challenge_method'), 'S256');
    const redirectUri = read('redirect_uri');
    if (options.register) ok(redirectUris.has(redirectUri), 'redirect_uri is not registered');
    ok(read('state').length >= 22, 'state is too short');
    if (options.refuseAuthorization !== undefined) {
      const back = new URL(redirectUri);
      const { refuseAuthorization: error, refusalDescription: error_description } = options;
      const refused = { error, ...(error_description !== undefined && { error_description }), state: read('state') };
      back.search = String(new URLSearchParams(refused));
      return { status: 302, headers: { location: back.href } };
    }
    const code = randomUUID();
    codes.set(code, {
      clientId: client.id,
      redirectUri,
      challenge: read('code_challenge'),
      scope: read('scope'),
      resource: read('resource'),
    });
    const target = new URL(redirectUri);
    target.search = String(new URLSearchParams({ code, state: read('state') }));
    return { status: 302, headers: { location: target.href } };
  };

  const token: Route = (request) => {
    const form = new URLSearchParams(request.text);
    strictEqual(request.headers['content-type'], 'application/x-www-form-urlencoded');
    const refusal = options.token?.(form);
    if (refusal) return refusal;
    if (options.refusesResource && form.has('resource')) return { status: 400, json: { error: 'invalid_request' } };
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    if (options.burnsCodes === true) codes.delete(code);
    if (!isClient(request, form)) {
      return options.clientRefusal ?? { status: 401, json: { error: 'invalid_client' } };
    }
    codes.delete(code);
    if (grant === undefined) return { status: 400, json: { error: 'invalid_grant' } };
    strictEqual(form.get('grant_type'), 'authorization_code');
    strictEqual(form.get('redirect_uri'), grant.redirectUri);
    strictEqual(form.get('resource'), options.refusesResource ? null : grant.resource);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    strictEqual(challenge, grant.challenge, 'code_verifier does not belong to the code');
    const accessToken = randomUUID();
    tokens.set(accessToken, grant);
    return { json: { access_token: accessToken, token_type: 'Bearer', expires_in: 3_600, scope: grant.scope } };
  };

  function isClient({ headers }: Received, form: URLSearchParams): boolean {
    const pair = `${client.id}:${client.secret}`;
    if (options.authentication === 'form') {
      return headers.authorization === undefined && `${form.get('client_id')}:${form.get('client_secret')}` === pair;
    }
    const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
    if (scheme !== 'Basic' || form.has('client_secret')) return false;
    const sent = Buffer.from(credentials, 'base64').toString('utf8');
    if (options.authentication === 'raw') return sent === pair;
    return sent.split(':').map(decodeURIComponent).join(':') === pair;
  }

  const introspect: Route = ({ text }) => {
    const grant = tokens.get(new URLSearchParams(text).get('token') ?? '');
    if (grant === undefined) return { json: { active: false } };
    const { clientId, scope, resource } = grant;
    const exp = Math.floor(Date.now() / 1000) + 3_600;
    return { json: { active: true, sub: 'demo', client_id: clientId, scope, exp, aud: resource } };
  };

  const { origin, requests } = await startScriptedServer((issuer) => ({
    'GET /.well-known/oauth-authorization-server': () => ({
      json: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        code_challenge_methods_supported: ['S256'],
        ...options.metadata,
      },
    }),
    'POST /register': register,
    'GET /authorize': authorize,
    'POST /token': token,
    'POST /introspect': introspect,
  }));

  return {
    issuer: origin,
    introspection: { endpoint: `${origin}/introspect`, clientId: 'mcp', clientSecret: 'unused' },
    addResource: () => {},
    count: (path) => requests.filter((request) => request.path === path).length,
  };
}

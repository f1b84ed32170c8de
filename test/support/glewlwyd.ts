import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { AuthorizationServer } from '../demo/authorization-server-options.ts';
import { readForm } from '../demo/read-form.ts';
import { freePort } from './free-port.ts';
import { serveHttp } from './loopback-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { ScriptedUser } from './test-engine.ts';

const app = '/usr/bin/glewlwyd';
const schema = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';
const signingKey = 'a-key-that-the-server-and-its-resources-share';
const account = { username: 'demo', password: 'correct-horse' };

/** Debian's package `glewlwyd`, which bootstrap.sh installs if it can. */
export const hasGlewlwyd = existsSync(app) && existsSync(schema);

export interface Glewlwyd extends Pick<AuthorizationServer, 'issuer' | 'introspection' | 'addResource'> {
  /** Signs in and consents through the API that its pages use. */
  readonly user: ScriptedUser;
}

/** A real glewlwyd with its OpenID Connect plugin, its own database and one user; ends with the test. */
export async function startGlewlwyd(resource: string, scopes: readonly string[]): Promise<Glewlwyd> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await startPostern(port, origin);
  const admin = await signInTo(origin, { username: 'admin', password: 'password' });
  for (const name of scopes) {
    const scope = { name, display_name: name, description: name, password_required: false, scheme: {} };
    await admin('POST', 'scope/', scope);
  }
  await admin('POST', 'user/', { ...account, name: 'Demo', enabled: true, scope: ['g_profile', 'openid', ...scopes] });
  const issuer = `${origin}/api/oidc`;
  await admin('POST', 'mod/plugin/', plugin(issuer, resource, scopes));
  return {
    issuer,
    introspection: await startIntrospection(),
    addResource: () => {},
    user: async ({ url }, signal) => {
      const page = await fetch(url, { redirect: 'manual', signal });
      const login = new URL(page.headers.get('location') ?? '');
      if (login.pathname !== '/login.html') throw new Error(`No sign-in page, but ${login.href}`);
      const api = await signInTo(origin, account);
      const { searchParams } = new URL(url);
      await api('PUT', `auth/grant/${searchParams.get('client_id')}`, { scope: searchParams.get('scope') });
      const response = await api('GET', `${url.slice(`${origin}/api/`.length)}&g_continue`);
      await fetch(response.headers.get('location') ?? '', { signal });
    },
  };
}

async function startPostern(port: number, origin: string): Promise<void> {
  const folder = temporaryFolder();
  const database = path.join(folder, 'glewlwyd.db');
  const db = new DatabaseSync(database);
  db.exec(gunzipSync(readFileSync(schema)).toString('utf8'));
  db.close();
  const configuration = path.join(folder, 'glewlwyd.conf');
  writeFileSync(configuration, configure(port, origin, database));
  const child = spawn(app, ['-c', configuration], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const failed = ended.then(([code]) => {
    throw new Error(`glewlwyd ended with ${code}`);
  });
  failed.catch(() => {});
  await Promise.race([answers(`${origin}/config`), failed]);
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error('glewlwyd does not answer');
}

type Api = (method: string, route: string, body?: object) => Promise<Response>;

async function signInTo(origin: string, credentials: object): Promise<Api> {
  let cookie = '';
  const api: Api = async (method, route, body) => {
    const response = await fetch(`${origin}/api/${route}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status >= 400) throw new Error(`glewlwyd: ${method} ${route}: ${response.status}`);
    return response;
  };
  const signedIn = await api('POST', 'auth/', credentials);
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return api;
}

function plugin(issuer: string, resource: string, scopes: readonly string[]): object {
  return {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: issuer,
      'jwt-type': 'sha',
      'jwt-key-size': '256',
      key: signingKey,
      'access-token-duration': 3_600,
      'refresh-token-duration': 86_400,
      'code-duration': 60,
      'refresh-token-one-use': 'always',
      'allow-non-oidc': true,
      'auth-type-code-enabled': true,
      'auth-type-refresh-enabled': true,
      'subject-type': 'public',
      'pkce-allowed': true,
      'pkce-required': true,
      'register-client-allowed': true,
      'register-client-auth-scope': [],
      'register-client-credentials-scope': [],
      'resource-allowed': true,
      'resource-scope': Object.fromEntries(scopes.map((scope) => [scope, [resource]])),
      'resource-client-property': '',
      'resource-scope-and-client-property': false,
    },
  };
}

function configure(port: number, origin: string, database: string): string {
  const modules = '/usr/lib/glewlwyd';
  return `
port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
cookie_secure=false
session_key="GLEWLWYD2_SESSION_ID"
log_mode="console"
log_level="ERROR"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${modules}/user"
client_module_path="${modules}/client"
user_auth_scheme_module_path="${modules}/scheme"
plugin_module_path="${modules}/plugin"
hash_algorithm="SHA512"
login_api_enabled=true
admin_session_authentication="cookie"
profile_session_authentication="cookie"
database = { type = "sqlite3", path = "${database}" }
`;
}

/** The resource server's check of a token (RFC 9068), as an introspection endpoint (RFC 7662). */
async function startIntrospection(): Promise<AuthorizationServer['introspection']> {
  const server = await serveHttp((request, response) => {
    void readForm(request).then((form) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(readToken(form.get('token') ?? '')));
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { endpoint: server.origin, clientId: 'mcp', clientSecret: 'unused' };
}

function readToken(token: string): object {
  const [header = '', claims = '', signature] = token.split('.');
  const expected = createHmac('sha256', signingKey).update(`${header}.${claims}`).digest('base64url');
  if (signature !== expected) return { active: false };
  return { ...(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as object), active: true };
}

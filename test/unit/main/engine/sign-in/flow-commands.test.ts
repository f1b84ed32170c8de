import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectServer } from '../../../../../main/engine/connect/connect-server.ts';
import { removeIntegration } from '../../../../../main/engine/removal/remove-integration.ts';
import { reauthenticate } from '../../../../../main/engine/sign-in/reauthenticate.ts';
import { readTokenSet } from '../../../../../main/oauth/token/token-set.ts';
import type { CallbackHandlers, CallbackVerdict, Http, HttpRequest } from '../../../../../main/ports.ts';
import { localOptions } from '../../../../support/local-options.ts';
import { createRefreshWorld, settle } from '../../../../support/refresh-world.ts';
import { runs } from '../../../../support/runs.ts';

const server = 'https://mcp.example';
const minutes = 60_000;

/** One user at one server. The browser and the app may do anything in any order. */
function startWorld() {
  const world = createRefreshWorld();
  const codes = new Map<string, number>();
  const states: string[] = [];
  const removed = new Set<string>();
  let onCallback: ((query: string) => CallbackVerdict) | undefined;
  let abort = new AbortController();
  let current: Promise<unknown> | undefined;
  let lastQuery: string | undefined;

  const http: Http = {
    exchange: async (request) => answer(request),
    stream: async (request) => answerMcp(request),
    resolveHost: async () => {},
  };
  function answer({ url, body = '' }: HttpRequest) {
    const respond = (status: number, document: unknown) => ({
      status,
      url,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: Buffer.from(document === undefined ? '' : JSON.stringify(document)),
    });
    const { pathname, hostname } = new URL(url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      return respond(200, { resource: `${server}/mcp`, authorization_servers: ['https://as.example'] });
    }
    if (hostname === 'as.example' && pathname === '/.well-known/oauth-authorization-server') {
      const at = (path: string) => `https://as.example/${path}`;
      return respond(200, {
        issuer: 'https://as.example',
        authorization_endpoint: at('authorize'),
        token_endpoint: at('token'),
        registration_endpoint: at('register'),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (pathname === '/register') return respond(201, { ...(JSON.parse(body) as object), client_id: 'postern' });
    if (pathname !== '/token') return respond(404, undefined);
    const form = new URLSearchParams(body);
    const code = form.get('code');
    if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1);
    const pair = code === null ? world.grants.refresh(form.get('refresh_token') ?? '') : world.grants.begin(code);
    if (!pair) return respond(400, { error: 'invalid_grant' });
    return respond(200, {
      access_token: pair.accessToken,
      refresh_token: pair.refreshToken,
      token_type: 'Bearer',
      expires_in: 3_600,
    });
  }
  async function answerMcp({ url }: Pick<HttpRequest, 'url'>): Promise<Response> {
    const challenge = `Bearer resource_metadata="${new URL(url).origin}/.well-known/oauth-protected-resource/mcp"`;
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
  }

  const ports = {
    ...world.ports,
    http,
    callbacks: {
      freePort: async () => 1_024,
      listen: async ({ port }: { port: number }, { callback: receive }: CallbackHandlers) => {
        onCallback = receive;
        const close = async (): Promise<void> => {
          if (onCallback === receive) onCallback = undefined;
        };
        const origin = `http://127.0.0.1:${port}`;
        return { url: `${origin}/integration/oauth/callback`, linkTo: (word: string) => `${origin}/go/${word}`, close };
      },
    },
  };
  const interaction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    open: async ({ url }: { url: string }) => void states.push(new URL(url).searchParams.get('state') ?? ''),
  };

  /** The browser returns with this query; Postern may have quit long ago. */
  async function comeBack(query: string): Promise<CallbackVerdict | undefined> {
    lastQuery = query;
    const verdict = onCallback?.(query);
    await settle();
    return verdict;
  }

  return {
    codes,
    states,
    removed,
    vault: world.vault,
    store: world.ports.store,
    isWaiting: () => onCallback !== undefined,
    lastQuery: () => lastQuery,
    comeBack,
    async connect() {
      abort = new AbortController();
      const request = { url: `${server}/mcp`, options: localOptions, surface: 'test' };
      current = connectServer(ports, request, interaction, abort.signal).catch(() => {});
      await settle();
    },
    async signInAgain() {
      const [integration] = await world.ports.store.list();
      if (!integration) return;
      abort = new AbortController();
      current = reauthenticate(ports, integration, {}, interaction, abort.signal).catch(() => {});
      await settle();
    },
    /** Even with a sign-in in flight: the user's last action wins. */
    async remove() {
      const [integration] = await world.ports.store.list();
      if (!integration) return;
      await removeIntegration(ports, integration, new AbortController().signal);
      removed.add(integration.id);
    },
    async cancel() {
      abort.abort();
      await current;
    },
    async pass(milliseconds: number) {
      world.clock.advance(milliseconds);
      await settle();
    },
    setWall: (change: number) => world.clock.setWall(world.clock.now() + change),
    /** The process is gone; a new one knows only what is stored. */
    async restart() {
      onCallback = undefined;
      await settle();
    },
  };
}

type World = ReturnType<typeof startWorld>;
/** Empty: the rules hold after every command, whatever came before. */
type Model = Record<string, never>;

async function judge({ codes, states, removed, vault, store }: World): Promise<void> {
  for (const [code, requests] of codes) {
    expect({ code, requests }).toEqual({ code, requests: 1 });
    expect(states).toContain(code);
  }
  const entries = await store.list();
  for (const owner of await vault.owners()) {
    for (const key of await vault.keysOf(owner)) {
      if (key.kind !== 'tokens') continue;
      expect(readTokenSet(await vault.read(key))?.issuerKey).toBe('https://as.example');
      expect(key.issuerKey).toBe('https://as.example');
      expect(entries.map(({ id }) => id)).toContain(owner);
    }
  }
  for (const { id, issuerKey: issuer = '', state } of entries) {
    expect(removed).not.toContain(id);
    if (state !== 'integrated') continue;
    expect(await vault.read({ kind: 'tokens', owner: id, issuerKey: issuer })).toBeDefined();
  }
}

function command(name: string, run: (world: World) => Promise<unknown>): fc.AsyncCommand<Model, World> {
  return {
    check: () => true,
    run: async (_model, world) => {
      await run(world);
      await judge(world);
    },
    toString: () => name,
  };
}

/** The state of the latest sign-in, or of one `back` before. */
const stateOf = ({ states }: World, back: number): string => states[states.length - 1 - (back % states.length)] ?? 'x';

const begin = fc.constant(command('connect', async (world) => world.isWaiting() || (await world.connect())));
const finish = fc.constant(
  command('callback', (world) => world.comeBack(`code=${stateOf(world, 0)}&state=${stateOf(world, 0)}`)),
);

const commands = [
  // Often enough that many sequences reach the token request.
  ...[begin, begin, begin, begin, finish, finish, finish],
  fc.constant(command('sign in again', async (world) => world.isWaiting() || (await world.signInAgain()))),
  fc.constant(command('cancel', (world) => world.cancel())),
  fc.constant(command('remove', (world) => world.remove())),
  fc.constant(command('restart', (world) => world.restart())),
  fc.constant(command('the same callback again', (world) => world.comeBack(world.lastQuery() ?? 'code=x&state=y'))),
  fc
    .nat(3)
    .map((back) =>
      command(`callback of sign-in ${back} before`, (world) =>
        world.comeBack(`code=${stateOf(world, back)}&state=${stateOf(world, back)}`),
      ),
    ),
  fc.nat(3).map((back) =>
    command(`two callbacks at once of sign-in ${back} before`, async (world) => {
      const query = `code=${stateOf(world, back)}&state=${stateOf(world, back)}`;
      await Promise.all([world.comeBack(query), world.comeBack(query)]);
    }),
  ),
  fc
    .constantFrom('error=access_denied', 'code=a&code=b', 'iss=https%3A%2F%2Fevil.example&code=c', '')
    .map((rest) => command(`callback with ${rest}`, (world) => world.comeBack(`state=${stateOf(world, 0)}&${rest}`))),
  fc.constant(command('callback with a wrong state', (world) => world.comeBack('code=x&state=wrong'))),
  fc.nat(15).map((count) => command(`${count} minutes pass`, (world) => world.pass(count * minutes))),
  fc
    .integer({ min: -600, max: 600 })
    .map((count) => command(`the clock is set by ${count} minutes`, async (world) => world.setWall(count * minutes))),
];

describe('a sign-in', () => {
  it('makes at most one token request per state and stores tokens only with their issuer, in any order of events (PB-04)', async () => {
    let signedIn = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: '+1' }), async (sequence) => {
        const world = startWorld();
        await fc.asyncModelRun(() => ({ model: {}, real: world }), sequence);
        signedIn += world.codes.size;
        await world.cancel();
      }),
      { numRuns: runs(300) },
    );
    // A run without token requests would prove nothing.
    expect(signedIn).toBeGreaterThan(runs(50));
  });
});

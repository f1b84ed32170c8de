import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { loadTokens, saveCredentials, saveTokens } from '../../main/engine/records/stored-secrets.ts';
import type { PosternError } from '../../main/errors/postern-error.ts';
import { systemRandom } from '../../main/host/system-ports.ts';
import type { TokenSet } from '../../main/oauth/token/token-set.ts';
import type { Http, HttpRequest, Vault } from '../../main/ports.ts';
import { Secret } from '../../main/secret.ts';
import { assertionFiles } from '../../main/storage/files/assertion-file.ts';
import { createMemoryVault } from '../../main/storage/vault/vault.ts';
import type { Integration } from '../../shared/integration.ts';
import { anIntegration } from './an-integration.ts';
import { createFakeClock } from './fake-clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { createMemoryLocks } from './memory-locks.ts';
import { createMemoryPins } from './memory-pins.ts';
import { createMemoryStore } from './memory-store.ts';
import { noLocalServers } from './no-local-servers.ts';
import { RotatingGrants } from './rotating-grants.ts';

export const issuer = 'https://as.example';

/** How the token endpoint handles one request: an error, a status and body, or as `grants` decides. */
export type TokenReply =
  | PosternError
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Rotates, but the response is lost. */
  | { readonly lostTo: PosternError }
  | undefined;

export interface RefreshWorld {
  readonly ports: EnginePorts;
  readonly clock: FakeClock;
  readonly vault: Vault;
  readonly grants: RotatingGrants;
  /** Refresh tokens in order of arrival. */
  readonly sent: string[];
  /** Why the token endpoint cannot even reject a GET. */
  getFailure: PosternError | undefined;
  /** Decides the next responses; `undefined` leaves the decision to the server. */
  answer: (refreshToken: string) => TokenReply;
  /** Signs in: creates a grant, its tokens in the vault and its entry in the list. `life` in seconds. */
  signIn(
    id: string,
    options?: { readonly life?: number; readonly change?: Partial<Integration> },
  ): Promise<Integration>;
  tokens(id: string): Promise<TokenSet | undefined>;
}

/** The engine in memory, with an authorization server that rotates tokens. Several engines may share it. */
export function createRefreshWorld(life = 3_600): RefreshWorld {
  const clock = createFakeClock();
  const grants = new RotatingGrants();
  const vault = createMemoryVault();
  const store = createMemoryStore();
  const sent: string[] = [];
  const http: Http = {
    exchange: async (request) => answerToken(request),
    stream: async () => Promise.reject(new Error('no MCP here')),
    resolveHost: async () => {},
  };

  function answerToken({ method, body = '', url }: HttpRequest) {
    if (method === 'GET') {
      if (world.getFailure) throw world.getFailure;
      return respond(url, 405, '');
    }
    const refreshToken = new URLSearchParams(body).get('refresh_token') ?? '';
    sent.push(refreshToken);
    const decided = world.answer(refreshToken);
    if (decided instanceof Error) throw decided;
    if (decided && 'status' in decided) return respond(url, decided.status, decided.body ?? '', decided.headers);
    const pair = grants.refresh(refreshToken);
    if (decided) throw decided.lostTo;
    if (!pair) return respond(url, 400, '{"error":"invalid_grant"}');
    const response = { access_token: pair.accessToken, refresh_token: pair.refreshToken, expires_in: life };
    return respond(url, 200, JSON.stringify({ ...response, token_type: 'Bearer' }));
  }

  const world: RefreshWorld = {
    clock,
    vault,
    grants,
    sent,
    answer: () => undefined,
    getFailure: undefined,
    ports: {
      http,
      clock,
      random: systemRandom,
      callbacks: {
        listen: () => Promise.reject(new Error('no callback here')),
        freePort: () => Promise.reject(new Error('no callback here')),
      },
      vault: async () => vault,
      catalog: { forget: async () => {} },
      store,
      locks: createMemoryLocks(),
      local: noLocalServers,
      leases: { acquire: () => Promise.reject(new Error('no sign-in here')) },
      assertions: assertionFiles,
      refreshesInFlight: new Map(),
      pins: createMemoryPins(),
      log: { write: () => {} },
    },
    async signIn(id, { life: ownLife = life, change = {} } = {}) {
      const pair = grants.begin(id);
      const now = clock.now();
      const tokens: TokenSet = {
        accessToken: new Secret(pair.accessToken),
        refreshToken: new Secret(pair.refreshToken),
        issuerKey: issuer,
        tokenEndpoint: `${issuer}/token`,
        receivedAt: { wall: now },
        expiresAt: now + ownLife * 1_000,
        notes: [],
      };
      const redirectUri = 'http://127.0.0.1:1024/integration/oauth/callback';
      await saveCredentials(vault, id, { clientId: 'postern', source: 'registered', issuerKey: issuer, redirectUri });
      const integration = anIntegration({
        id,
        name: id,
        issuerKey: issuer,
        expiresAt: now + ownLife * 1_000,
        ...change,
      });
      await saveTokens(vault, integration, tokens);
      await store.write(integration);
      return integration;
    },
    tokens: async (id) => {
      return await loadTokens(vault, id, issuer);
    },
  };
  return world;
}

function respond(url: string, status: number, body: string, headers: Record<string, string> = {}) {
  const type = body.startsWith('<') ? 'text/html' : 'application/json';
  return { status, url, headers: new Headers({ 'content-type': type, ...headers }), body: Buffer.from(body) };
}

/** Lets everything that only waits for promises continue. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

import type { AddressPolicy } from '../address/address-policy.ts';
import type { CheckedAddress } from '../address/check-address.ts';
import { deadline } from '../limits.ts';
import type { BearerChallenge } from '../oauth/wire/bearer-challenge.ts';
import { parseBearerChallenge } from '../oauth/wire/bearer-challenge.ts';
import { noMcp } from '../oauth/discovery/no-mcp.ts';
import { parseRetryAfter } from '../oauth/wire/retry-after.ts';
import type { Clock, Http, StreamRequest } from '../ports.ts';
import { wantsSignIn } from '../../shared/wants-sign-in.ts';
import { PosternError } from '../postern-error.ts';
import type { Credential } from './credential-gate.ts';
import { attachCredential } from './credential-gate.ts';
import type { McpFetch } from './mcp-endpoint.ts';
import { refuseOldTransport } from './refuse-old-transport.ts';
import { SessionCookies } from './session-cookies.ts';

/** What the server said no to a request with: 401, or 403 (RFC 6750 3.1). */
export interface Refusal {
  readonly kind: 'unauthorized' | 'insufficient-scope';
  readonly challenge: BearerChallenge | undefined;
}

/** Where requests get their credential from, and a fresher one once a server has refused it. */
export interface CredentialSource {
  current(): Promise<Credential | undefined>;
  /**
   * Called after a 401, or with what else may mean that the token is no good: see `Doubt`. `undefined`: there is
   * nothing fresher, or nothing that speaks against the token at hand.
   */
  renew(refused: Credential, doubt?: Doubt): Promise<Credential | undefined>;
  /** Told that the server has taken it. */
  accepted?(credential: Credential): Promise<void>;
}

/** Some servers answer 403 without a reason (`forbidden`) or 500 (`fault`) to a token that they do not take. */
export type Doubt = 'forbidden' | 'fault';

/** Why a request failed: its credential was refused, or anything else. */
export type RequestFailure =
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly error: PosternError }
  | { readonly kind: 'failed'; readonly error: PosternError };

type TellFailure = (failure: RequestFailure) => PosternError;

export interface McpFetchOptions {
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
  readonly policy: AddressPolicy;
  readonly credentials: CredentialSource;
  /** Told before an error goes up through the MCP library, which may wrap it and lose what it says. */
  readonly onFailure?: (failure: RequestFailure) => void;
  /** Told of each request that leaves. */
  readonly onSent?: () => void;
  /** For whom the usual time and size of an answer are too little. `deadline`: milliseconds. */
  readonly bounds?: { readonly deadline: number; readonly limits: NonNullable<StreamRequest['limits']> };
}

/**
 * The fetch under the MCP client: our HTTP rules, our credential gate, and one renewal and one more try after a 401
 * (a request that was refused for its token has not been acted on). The MCP library gets no auth provider, so
 * nothing but this attaches a token, and nothing of it can start a browser. Each has cookies of its own.
 */
export function createMcpFetch(options: McpFetchOptions): McpFetch {
  const { http, clock, policy, credentials, onFailure, onSent, bounds } = options;
  const cookies = new SessionCookies(clock);
  async function send(address: CheckedAddress, init?: RequestInit, credential?: Credential): Promise<Response> {
    const url = new URL(address);
    const headers = new Headers(init?.headers);
    const kept = cookies.fieldFor(url);
    if (kept !== undefined) headers.set('cookie', kept);
    // Over it: some API keys are cookies.
    if (credential) attachCredential(headers, url, credential);
    const response = await http.stream({
      purpose: 'mcp',
      stage: 'connection',
      method: init?.method === 'POST' || init?.method === 'DELETE' ? init.method : 'GET',
      url: address,
      headers: Object.fromEntries(headers),
      ...(typeof init?.body === 'string' && { body: init.body }),
      policy,
      deadline: bounds?.deadline ?? deadline.mcpHeaders,
      limits: bounds?.limits,
      signal: init?.signal ?? undefined,
      onSent,
    });
    cookies.take(url, response.headers);
    return response;
  }

  async function exchange(address: CheckedAddress, tell: TellFailure, init?: RequestInit): Promise<Response> {
    const url = new URL(address);
    const credential = await credentials.current();
    const response = await send(address, init, credential);
    if (!credential) return response;
    const doubt = credential.kind === 'bearer' ? doubtOf(response, init) : undefined;
    const refusal = refusalOf(response);
    if (!doubt && refusal?.kind !== 'unauthorized') {
      if (response.ok) await credentials.accepted?.(credential);
      return response;
    }
    const fresher = await credentials.renew(credential, doubt).catch(async (error: unknown) => {
      // What the server demands must not be lost where nothing is left to renew with: a sign-in begins with it.
      await response.body?.cancel();
      if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
      throw tell(refusal ? { kind: 'refused', refusal, error } : { kind: 'failed', error });
    });
    if (!fresher) return refuseForbidden(response, doubt, url);
    await response.body?.cancel();
    const again = await send(address, init, fresher);
    const still = refusalOf(again);
    if (fresher.kind === 'bearer' && still?.kind === 'unauthorized') {
      // The same word as for a later command, which finds that the renewed one is refused as well.
      await again.body?.cancel();
      const error = new PosternError('TOKEN_REJECTED', { stage: 'connection', detail: { host: url.host } });
      throw tell({ kind: 'refused', refusal: still, error });
    }
    if (again.ok) await credentials.accepted?.(fresher);
    return refuseForbidden(again, fresher.kind === 'bearer' ? doubtOf(again, init) : undefined, url);
  }

  return async (address, init) => {
    const url = new URL(address);
    const told = new Set<unknown>();
    const tell: TellFailure = (failure) => {
      if (!told.has(failure.error)) onFailure?.(failure);
      told.add(failure.error);
      return failure.error;
    };
    const report = (error: unknown): void => {
      // What ends because the library or the caller gave it up says nothing about the server.
      if (error instanceof PosternError && init?.signal?.aborted !== true) tell({ kind: 'failed', error });
    };
    try {
      const response = await exchange(address, tell, init);
      const refusal = refusalOf(response);
      const isQuestion = init?.method === 'POST';
      if (!refusal && isQuestion) await refuseBusy(response, url, clock);
      if (!refusal) return isQuestion ? refuseOldTransport(response, url) : response;
      await response.body?.cancel();
      throw tell({ kind: 'refused', refusal, error: refusedError(refusal, url) });
    } catch (error) {
      report(error);
      throw error;
    }
  };
}

function refusedError({ kind }: Refusal, url: URL): PosternError {
  const code = kind === 'unauthorized' ? 'SIGN_IN_REQUIRED' : 'SCOPE_REQUIRED';
  return new PosternError(code, { stage: 'connection', detail: { host: url.host } });
}

function refusalOf(response: Response): Refusal | undefined {
  if (response.status === 401) return { kind: 'unauthorized', challenge: parseBearerChallenge(response.headers) };
  if (response.status !== 403) return undefined;
  const challenge = parseBearerChallenge(response.headers);
  // Some servers answer 403 to a token that they do not know; only the challenge tells the two apart.
  if (challenge?.error === 'invalid_token') return { kind: 'unauthorized', challenge };
  return challenge?.error === 'insufficient_scope' ? { kind: 'insufficient-scope', challenge } : undefined;
}

/**
 * A request that a server refused has not been acted on and may be sent again; one that broke it may have been, so a
 * tool call is not. The listening stream is refused by servers that have none.
 */
function doubtOf({ status, headers }: Response, init: RequestInit | undefined): Doubt | undefined {
  if (init?.method !== 'POST') return undefined;
  if (status === 403 && parseBearerChallenge(headers)?.error === undefined) return 'forbidden';
  return status === 500 && !callsTool(init.body) ? 'fault' : undefined;
}

function callsTool(body: unknown): boolean {
  return typeof body !== 'string' || /"method"\s*:\s*"tools\/call"/.test(body);
}

async function refuseForbidden(response: Response, doubt: Doubt | undefined, { host }: URL): Promise<Response> {
  if (doubt !== 'forbidden') return response;
  await response.body?.cancel();
  throw new PosternError('TOKEN_REJECTED', { stage: 'connection', detail: { host, status: response.status } });
}

/** RFC 6585 section 4, RFC 9110 section 10.2.3: how long to wait is lost in the library's error. */
async function refuseBusy(
  { status, headers, body }: Response,
  { host }: URL,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const now = clock.now();
  const wait = parseRetryAfter(headers.get('retry-after'), now);
  if (status !== 429 && (status !== 503 || wait === undefined)) return;
  await body?.cancel();
  const retryAt = wait === undefined ? undefined : Math.trunc(now) + wait * 1_000;
  throw noMcp('connection', { host, status, retryAt });
}

import type { AddressPolicy } from '../../address/address-policy.ts';
import { type CheckedAddress, checkAddress } from '../../address/check-address.ts';
import { deadline } from '../../limits.ts';
import { parseTokenChallenge } from '../../oauth/wire/token-challenge.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { nextProof } from '../../oauth/wire/proof-refusal.ts';
import { parseRetryAfter } from '../../oauth/wire/retry-after.ts';
import type { Clock, Http, StreamRequest } from '../../ports.ts';
import { wantsSignIn } from '../../error-remedy.ts';
import { PosternError } from '../../postern-error.ts';
import type { Credential } from './credential-gate.ts';
import { attachCredential, attachProof, isToken } from './credential-gate.ts';
import { textOf } from './mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from './mcp-endpoint.ts';
import { SessionEnds } from './ended-session.ts';
import { proofDemand, requireProofTaken } from './proof-demand.ts';
import { refuseOldTransport } from './refuse-old-transport.ts';
import { asRefused, RefusedRequest, refusalOf } from './refused-request.ts';
import type { Refusal } from './refused-request.ts';
import { SessionCookies } from './session-cookies.ts';

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

export interface McpFetchOptions {
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
  readonly policy: AddressPolicy;
  readonly credentials: CredentialSource;
  /** Told of each request that leaves. */
  readonly onSent?: () => void;
  /** Of the connections to this server before, where there were any. */
  readonly sessionEnds?: SessionEnds | undefined;
  /** For whom the usual time and size of an answer are too little. `deadline`: milliseconds. */
  readonly bounds?: { readonly deadline: number; readonly limits: NonNullable<StreamRequest['limits']> };
}

/**
 * The fetch under the MCP client: our HTTP rules, our credential gate, and one renewal and one more try after a 401
 * (a request that was refused for its token has not been acted on). The MCP library gets no auth provider, so
 * nothing but this attaches a token, and nothing of it can start a browser. Each has cookies of its own.
 */
export function createMcpFetch(options: McpFetchOptions): McpFetch {
  const { http, clock, policy, credentials, onSent, bounds } = options;
  const cookies = new SessionCookies(clock);
  const { sessionEnds = new SessionEnds() } = options;
  async function sendOnce(
    address: CheckedAddress,
    init?: McpRequestInit,
    credential?: Credential,
    nonce?: string,
  ): Promise<Response> {
    const url = new URL(address);
    const method = init?.method === 'POST' || init?.method === 'DELETE' ? init.method : 'GET';
    const headers = new Headers(init?.headers);
    const kept = cookies.fieldFor(url);
    if (kept !== undefined) headers.set('cookie', kept);
    // Over it: some API keys are cookies.
    const to = credential ? attachCredential(headers, url, credential, new URL(init?.namedBy ?? address)) : url;
    const headersAt = async (at: URL): Promise<Record<string, string>> => {
      if (credential) await attachProof(headers, method, { url: at, now: clock.now(), nonce }, credential);
      return Object.fromEntries(headers);
    };
    const response = await http.stream({
      purpose: 'mcp',
      stage: 'connection',
      method,
      url: to.href === url.href ? address : checkAddress(to, policy, 'connection'),
      headers: await headersAt(url),
      headersAt,
      ...((typeof init?.body === 'string' || init?.body instanceof Uint8Array) && { body: init.body }),
      policy,
      deadline: init?.deadline ?? bounds?.deadline ?? deadline.mcpHeaders,
      limits: bounds?.limits,
      signal: init?.signal ?? undefined,
      onSent,
    });
    cookies.take(url, response.headers);
    return response;
  }

  /** A proof that is refused is made once more, with the nonce that it lacked. Errors: also PROOF_REFUSED. */
  async function send(address: CheckedAddress, init?: McpRequestInit, credential?: Credential): Promise<Response> {
    const response = await sendOnce(address, init, credential);
    if (credential?.kind !== 'dpop') return response;
    const { key } = credential;
    const to = { reader: 'mcp-server', url: new URL(address) } as const;
    const next = nextProof(key, to, proofDemand(response), response.headers);
    if (!next) return await requireProofTaken(response, to.url, clock);
    await response.body?.cancel();
    const last = await sendOnce(address, init, credential, next.nonce);
    key.takeNonce(to.reader, to.url, last.headers);
    return await requireProofTaken(last, to.url, clock);
  }

  /** Before a refusal is taken for one of the credential: a server may refuse the session so. */
  async function sendInSession(address: CheckedAddress, init?: McpRequestInit, by?: Credential): Promise<Response> {
    const response = await send(address, init, by);
    const session = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : null;
    return session === null ? response : await sessionEnds.judge(response, session, init?.body);
  }

  async function exchange(address: CheckedAddress, init?: McpRequestInit): Promise<Response> {
    const url = new URL(address);
    const credential = await credentials.current();
    const response = await sendInSession(address, init, credential);
    if (!credential) return response;
    const doubt = isToken(credential) ? doubtOf(response, init) : undefined;
    const refusal = refusalOf(response);
    if (!doubt && refusal?.kind !== 'unauthorized') {
      if (response.ok) await credentials.accepted?.(credential);
      return response;
    }
    const fresher = await credentials.renew(credential, doubt).catch(async (error: unknown) => {
      // What the server demands must not be lost where nothing is left to renew with: a sign-in begins with it.
      await response.body?.cancel();
      if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
      throw refusal ? asRefused(error, refusal) : error;
    });
    if (!fresher) return refuseForbidden(response, doubt, url);
    await response.body?.cancel();
    const again = await sendInSession(address, init, fresher);
    const still = refusalOf(again);
    if (isToken(fresher) && still?.kind === 'unauthorized') {
      // The same word as for a later command, which finds that the renewed one is refused as well.
      await again.body?.cancel();
      const { host } = url;
      throw new RefusedRequest('TOKEN_REJECTED', { stage: 'connection', detail: { host }, refusal: still });
    }
    if (again.ok) await credentials.accepted?.(fresher);
    return refuseForbidden(again, isToken(fresher) ? doubtOf(again, init) : undefined, url);
  }

  return async (address, init) => {
    const url = new URL(address);
    const response = await exchange(address, init);
    const refusal = refusalOf(response);
    if (refusal) {
      await response.body?.cancel();
      throw refused(refusal, url);
    }
    if (init?.method !== 'POST') return response;
    await refuseBusy(response, url, clock);
    return refuseOldTransport(response, address);
  };
}

function refused(refusal: Refusal, { host }: URL): RefusedRequest {
  const code = refusal.kind === 'unauthorized' ? 'SIGN_IN_REQUIRED' : 'SCOPE_REQUIRED';
  return new RefusedRequest(code, { stage: 'connection', detail: { host }, refusal });
}

/**
 * A request that a server refused has not been acted on and may be sent again; one that broke it may have been, so a
 * tool call is not. The listening stream is refused by servers that have none.
 */
function doubtOf({ status, headers }: Response, init: RequestInit | undefined): Doubt | undefined {
  if (init?.method !== 'POST') return undefined;
  if (status === 403 && parseTokenChallenge(headers)?.error === undefined) return 'forbidden';
  return status === 500 && !callsTool(init.body) ? 'fault' : undefined;
}

function callsTool(body: RequestInit['body']): boolean {
  return /"method"\s*:\s*"tools\/call"/.test(textOf(body));
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

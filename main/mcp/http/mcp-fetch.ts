import type { ServerWords } from '../../../shared/error-codes.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import { FailedCall, ServerError } from '../../errors/request-error.ts';
import { deadline, errorBodyBytes } from '../../limits.ts';
import { notMcpError } from '../../oauth/discovery/discovery.ts';
import { SseTransportError, sseTransportError } from '../../oauth/discovery/probe-response.ts';
import { endpointEvent, firstEventName } from '../../oauth/http/mcp-request.ts';
import {
  nextProof,
  parseRetryAfter,
  parseTokenChallenge,
  readProofRefusal,
  proofRefusedError,
} from '../../oauth/http/response-headers.ts';
import type { ProofRefusal } from '../../oauth/http/response-headers.ts';
import type { Clock, Http, StreamRequest } from '../../ports.ts';
import { readRefusalWords, refusalSubject } from '../../server-words.ts';
import { isPage, readAtMost } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import {
  toRefusedRequest,
  attachCredential,
  attachProof,
  isToken,
  refusalOf,
  RefusedRequest,
} from './credential-gate.ts';
import type { Credential, Refusal } from './credential-gate.ts';
import { peek, SessionEndDetector } from './ended-session.ts';
import { bodyText } from './mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from './mcp-endpoint.ts';
import { isAboutRequest, looksLikeJsonRpc } from './refused-response.ts';
import { SessionCookies } from './session-cookies.ts';

/** Supplies the credential for requests, and a fresh one once a server has refused it. */
export interface CredentialSource {
  current(): Promise<Credential | undefined>;
  /**
   * Called after a 401, or with an `AmbiguousRefusal` that may mean that the token is invalid. `undefined`: there is no
   * fresher one, or no evidence against the current token.
   */
  renew(rejected: Credential, doubt?: AmbiguousRefusal): Promise<Credential | undefined>;
  /** Called when the server has accepted the credential. */
  onAccepted?(credential: Credential): Promise<void>;
}

/** Some servers return 403 without a reason (`forbidden`) or 500 (`fault`) for an invalid token. */
type AmbiguousRefusal = 'forbidden' | 'fault';

interface McpFetchOptions {
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
  readonly policy: AddressPolicy;
  readonly credentials: CredentialSource;
  /** Called for each request sent. */
  readonly onSent?: () => void;
  /** From earlier connections to this server. */
  readonly sessionEnds?: SessionEndDetector | undefined;
  /** For callers that need more than the usual response time and size. `deadline`: milliseconds. */
  readonly bounds?: { readonly deadline: number; readonly limits: NonNullable<StreamRequest['limits']> };
}

/**
 * The fetch below the MCP client: our HTTP rules, our credential gate, and one renewal and retry after a 401 (a request
 * refused for its token has not been acted on). The MCP library gets no auth provider, so nothing else attaches a
 * token, and nothing in it can open a browser. Each fetch has its own cookies.
 */
export function createMcpFetch(options: McpFetchOptions): McpFetch {
  const { http, clock, policy, credentials, onSent, bounds } = options;
  const cookies = new SessionCookies(clock);
  const { sessionEnds = new SessionEndDetector() } = options;
  async function sendOnce(
    address: CheckedAddress,
    init?: McpRequestInit,
    credential?: Credential,
    nonce?: string,
  ): Promise<Response> {
    const url = new URL(address);
    const method = init?.method === 'POST' || init?.method === 'DELETE' ? init.method : 'GET';
    const headers = new Headers(init?.headers);
    const cookie = cookies.headerFor(url);
    if (cookie !== undefined) headers.set('cookie', cookie);
    // May replace the cookie: some API keys are cookies.
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
      headers: await headersAt(to),
      headersAt,
      ...((typeof init?.body === 'string' || init?.body instanceof Uint8Array) && { body: init.body }),
      policy,
      deadline: init?.deadline ?? bounds?.deadline ?? deadline.mcpHeaders,
      limits: bounds?.limits,
      signal: init?.signal ?? undefined,
      onSent,
    });
    cookies.store(url, response.headers);
    return response;
  }

  /** Retries a refused proof once, with the nonce it lacked. Errors: also PROOF_REFUSED. */
  async function send(address: CheckedAddress, init?: McpRequestInit, credential?: Credential): Promise<Response> {
    const response = await sendOnce(address, init, credential);
    if (credential?.kind !== 'dpop') return response;
    const { key } = credential;
    const to = { recipient: 'mcp-server', url: new URL(address) } as const;
    const next = nextProof(key, to, proofRefusalOf(response), response.headers);
    if (!next) return await requireProofAccepted(response, to.url, clock);
    await response.body?.cancel();
    const last = await sendOnce(address, init, credential, next.nonce);
    key.saveNonce(to.recipient, to.url, last.headers);
    return await requireProofAccepted(last, to.url, clock);
  }

  /** Checked before a refusal counts against the credential: some servers refuse an ended session this way. */
  async function sendInSession(
    address: CheckedAddress,
    init?: McpRequestInit,
    credential?: Credential,
  ): Promise<Response> {
    const response = await withoutCredentialEcho(await send(address, init, credential), credential);
    const session = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : null;
    return session === null ? response : await sessionEnds.normalize(response, session, init?.body);
  }

  async function exchange(
    address: CheckedAddress,
    credential: Credential | undefined,
    init?: McpRequestInit,
  ): Promise<Response> {
    const url = new URL(address);
    const received = await sendInSession(address, init, credential);
    if (!credential) return received;
    const { doubt, whole: response } = await readDoubt(
      received,
      isToken(credential) ? ambiguousRefusalOf(received, init) : undefined,
    );
    const refusal = refusalOf(response, credential);
    if (!doubt && refusal?.kind !== 'unauthorized') {
      if (response.ok) await credentials.onAccepted?.(credential);
      return response;
    }
    const renewed = await credentials.renew(credential, doubt).catch(async (error: unknown) => {
      // Keep the server's challenge if there is nothing to renew with: a sign-in starts with it.
      const words = await readServerWords(response);
      if (!(error instanceof PosternError) || !requiresSignIn(error)) throw error;
      throw refusal ? toRefusedRequest(error.with({ words }), refusal) : error;
    });
    if (!renewed) return throwIfForbidden(response, doubt, url);
    await response.body?.cancel();
    const retried = await sendInSession(address, init, renewed);
    const secondRefusal = refusalOf(retried, renewed);
    if (isToken(renewed) && secondRefusal?.kind === 'unauthorized') {
      // Same error as for a later command that finds the renewed token refused.
      const { host } = url;
      const errorOptions = { stage: 'connection', detail: { host }, words: await readServerWords(retried) } as const;
      throw new RefusedRequest('TOKEN_REJECTED', { ...errorOptions, refusal: secondRefusal });
    }
    if (retried.ok) await credentials.onAccepted?.(renewed);
    return throwIfForbidden(retried, isToken(renewed) ? ambiguousRefusalOf(retried, init) : undefined, url);
  }

  return async (address, init) => {
    const url = new URL(address);
    const credential = await credentials.current();
    const response = await exchange(address, credential, init);
    const refusal = refusalOf(response, credential);
    if (refusal) throw refusedRequestError(refusal, url, await readServerWords(response));
    if (init?.method !== 'POST') return response;
    await throwIfBusy(response, url, clock);
    return rejectSseTransport(isSubscription(init) ? response : await withSniffedType(response), address);
  };
}

const looksLikeJson = /^\ufeff?\s*[[{]/u;
const looksLikeEvents = /^\ufeff?\s*(?:data|event|id|retry)?:/u;
/** Bytes needed to tell JSON from an event stream. */
const sniffedBytes = 16;

/** Some servers send a response with no or a wrong content type: sniff JSON and event streams. */
async function withSniffedType(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.body) return response;
  const { start, whole } = await peek(response, sniffedBytes);
  const text = start.toString('utf8');
  if (looksLikeJson.test(text)) whole.headers.set('content-type', 'application/json');
  else if (looksLikeEvents.test(text)) whole.headers.set('content-type', 'text/event-stream');
  return whole;
}

function refusedRequestError(refusal: Refusal, { host }: URL, words: ServerWords | undefined): RefusedRequest {
  const code = refusal.kind === 'unauthorized' ? 'SIGN_IN_REQUIRED' : 'SCOPE_REQUIRED';
  return new RefusedRequest(code, { stage: 'connection', detail: { host }, words, refusal });
}

/**
 * A refused request was not acted on and may be repeated; one that crashed the server may have been, so a tool call is
 * not. A refused GET proves nothing: the server may have no listening stream.
 */
function ambiguousRefusalOf(
  { status, headers }: Response,
  init: RequestInit | undefined,
): AmbiguousRefusal | undefined {
  if (init?.method !== 'POST') return undefined;
  if (status === 403 && parseTokenChallenge(headers)?.error === undefined) return 'forbidden';
  return status === 500 && !callsTool(init.body) ? 'fault' : undefined;
}

/**
 * A subscription stream may stay silent for a long time, so its body is not sniffed (MCP 2026-07-28, subscriptions).
 */
function isSubscription({ headers }: RequestInit): boolean {
  return new Headers(headers).get('mcp-method') === 'subscriptions/listen';
}

function callsTool(body: RequestInit['body']): boolean {
  return /"method"\s*:\s*"tools\/call"/.test(bodyText(body));
}

/** Refusals are shown to the user, so one that echoes the credential loses its body. */
async function withoutCredentialEcho(response: Response, credential: Credential | undefined): Promise<Response> {
  if (!credential || !isAboutRequest(response.status)) return response;
  const { start, whole } = await peek(response, errorBodyBytes);
  const ownSecret = isToken(credential) ? credential.token : credential.value;
  const secrets = [ownSecret, ...(credential.further ?? []).map(({ value }) => value)]
    // The scheme at the start of a header is not secret.
    .map((each) => each.reveal().replace(/^[a-z]+ (?=\S)/iu, ''))
    .filter((secret) => secret !== '');
  if (!secrets.some((secret) => start.includes(secret))) return whole;
  await whole.body?.cancel();
  return new Response(null, { status: whole.status, headers: whole.headers });
}

/** Drops the doubt about the token if the server's text shows that the request itself was wrong. */
async function readDoubt(
  response: Response,
  doubt: AmbiguousRefusal | undefined,
): Promise<{ readonly doubt: AmbiguousRefusal | undefined; readonly whole: Response }> {
  if (doubt !== 'forbidden') return { doubt, whole: response };
  const { start, whole } = await peek(response, errorBodyBytes);
  const words = readRefusalWords(start.toString('utf8'), mediaType(whole));
  return { doubt: words && refusalSubject(words) === 'request' ? undefined : doubt, whole };
}

async function throwIfForbidden(
  response: Response,
  doubt: AmbiguousRefusal | undefined,
  { host }: URL,
): Promise<Response> {
  if (doubt !== 'forbidden') return response;
  const { status } = response;
  const { start: body, whole } = await peek(response, errorBodyBytes);
  // An HTML page comes from a firewall, not an MCP server, and says nothing about the sign-in.
  if (isPage(body)) throw notMcpError('connection', { host, status, kind: 'web-page' });
  const words = readRefusalWords(body.toString('utf8'), mediaType(whole));
  const subject = words && refusalSubject(words);
  if (subject === 'request' || (subject === 'nothing' && looksLikeJsonRpc(body))) return whole;
  void whole.body?.cancel();
  const errorOptions = { stage: 'connection', detail: { host } } as const;
  // Without a challenge it is about the account's permissions, not the token (RFC 6750 section 3.1, RFC 9110 section
  // 15.5.4).
  if (!words) throw new PosternError('ACCESS_REFUSED', errorOptions);
  throw subject === 'sign-in'
    ? new ServerError('TOKEN_REJECTED', { ...errorOptions, words })
    : new FailedCall('SERVER_ERROR', { ...errorOptions, words });
}

/** The server's text, if the body is a JSON-RPC error. Consumes the response. */
async function readServerWords(response: Response): Promise<ServerWords | undefined> {
  const body = await readAtMost(response, errorBodyBytes).catch(() => Buffer.alloc(0));
  return looksLikeJsonRpc(body) ? readRefusalWords(body.toString('utf8'), mediaType(response)) : undefined;
}

/** RFC 6585 section 4, RFC 9110 section 10.2.3: the library's error would lose the time to wait. */
async function throwIfBusy(response: Response, { host }: URL, clock: Pick<Clock, 'now'>): Promise<void> {
  const { status, headers } = response;
  const now = clock.now();
  const wait = parseRetryAfter(headers.get('retry-after'), now);
  if (status !== 429 && (status !== 503 || wait === undefined)) return;
  const retryAt = wait === undefined ? undefined : Math.trunc(now) + wait * 1_000;
  throw notMcpError('connection', { host, status, retryAt }).with({ words: await readServerWords(response) });
}

/** Why the server refused the proof of a request, which it then has not acted on (RFC 9449 sections 7.1 and 9). */
function proofRefusalOf({ status, headers }: Response): ProofRefusal | undefined {
  if (status < 400 || status > 499) return undefined;
  return readProofRefusal(parseTokenChallenge(headers)?.dpop?.error);
}

/** Returns the response unless it refuses the proof. Errors: PROOF_REFUSED. */
async function requireProofAccepted(response: Response, { host }: URL, clock: Pick<Clock, 'now'>): Promise<Response> {
  const proofRefusal = proofRefusalOf(response);
  if (proofRefusal === undefined) return response;
  await response.body?.cancel();
  throw proofRefusedError(proofRefusal, { stage: 'connection', host, headers: response.headers, clock }).error;
}

/**
 * The response, with an event stream that fails if it starts like HTTP+SSE (MCP 2024-11-05): the response to a request
 * never comes on it, and it never ends. `address`: where the request was sent.
 */
function rejectSseTransport(response: Response, address: CheckedAddress): Response {
  const { body } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const decoder = new TextDecoder();
  let start: string | undefined = '';
  const checked = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (start !== undefined) {
          start += decoder.decode(chunk, { stream: true });
          const name = firstEventName(start);
          if (name === endpointEvent) throw sseTransportError(address);
          if (name !== undefined || start.length > maxEventStart) start = undefined;
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return Object.defineProperty(response, 'body', { value: checked });
}

/**
 * The error of `rejectSseTransport` if the first chunk shows it; otherwise an equal response with an unread body.
 * Errors: those of reading.
 */
export async function peekForSseTransport(response: Response): Promise<Response | SseTransportError> {
  const { body, status, headers } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const reader = body.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined;
  try {
    first = await reader.read();
  } catch (error) {
    if (error instanceof SseTransportError) return error;
    throw error;
  }
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(whole, { status, headers });
}

/** Characters searched for the first event: that of HTTP+SSE is an address. */
const maxEventStart = 4_096;

import type { ServerWords } from '../../../shared/error-codes.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import { FailedCall, readRefusalWords, ServerError, subjectOf } from '../../errors/request-error.ts';
import { deadline, refusalBytes } from '../../limits.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import { OldTransport, oldTransport } from '../../oauth/discovery/probe-answer.ts';
import { endpointEvent, firstEventName } from '../../oauth/wire/mcp-request.ts';
import {
  nextProof,
  parseRetryAfter,
  parseTokenChallenge,
  proofRefusalOf,
  refusedProof,
} from '../../oauth/wire/response-headers.ts';
import type { ProofRefusal } from '../../oauth/wire/response-headers.ts';
import type { Clock, Http, StreamRequest } from '../../ports.ts';
import { isPage, readAtMost } from '../messages/message-body.ts';
import { mediaType } from '../messages/message-headers.ts';
import { asRefused, attachCredential, attachProof, isToken, refusalOf, RefusedRequest } from './credential-gate.ts';
import type { Credential, Refusal } from './credential-gate.ts';
import { peek, SessionEnds } from './ended-session.ts';
import { textOf } from './mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from './mcp-endpoint.ts';
import { isOfRequest, isOfRpc } from './refused-answer.ts';
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
type Doubt = 'forbidden' | 'fault';

interface McpFetchOptions {
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
      headers: await headersAt(to),
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
    const response = await withoutEcho(await send(address, init, by), by);
    const session = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : null;
    return session === null ? response : await sessionEnds.judge(response, session, init?.body);
  }

  async function exchange(
    address: CheckedAddress,
    credential: Credential | undefined,
    init?: McpRequestInit,
  ): Promise<Response> {
    const url = new URL(address);
    const came = await sendInSession(address, init, credential);
    if (!credential) return came;
    const { doubt, whole: response } = await readDoubt(came, isToken(credential) ? doubtOf(came, init) : undefined);
    const refusal = refusalOf(response, credential);
    if (!doubt && refusal?.kind !== 'unauthorized') {
      if (response.ok) await credentials.accepted?.(credential);
      return response;
    }
    const fresher = await credentials.renew(credential, doubt).catch(async (error: unknown) => {
      // What the server demands must not be lost where nothing is left to renew with: a sign-in begins with it.
      const words = await wordsIn(response);
      if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
      throw refusal ? asRefused(error.with({ words }), refusal) : error;
    });
    if (!fresher) return refuseForbidden(response, doubt, url);
    await response.body?.cancel();
    const again = await sendInSession(address, init, fresher);
    const still = refusalOf(again, fresher);
    if (isToken(fresher) && still?.kind === 'unauthorized') {
      // The same word as for a later command, which finds that the renewed one is refused as well.
      const { host } = url;
      const told = { stage: 'connection', detail: { host }, words: await wordsIn(again) } as const;
      throw new RefusedRequest('TOKEN_REJECTED', { ...told, refusal: still });
    }
    if (again.ok) await credentials.accepted?.(fresher);
    return refuseForbidden(again, isToken(fresher) ? doubtOf(again, init) : undefined, url);
  }

  return async (address, init) => {
    const url = new URL(address);
    const credential = await credentials.current();
    const response = await exchange(address, credential, init);
    const refusal = refusalOf(response, credential);
    if (refusal) throw refused(refusal, url, await wordsIn(response));
    if (init?.method !== 'POST') return response;
    await refuseBusy(response, url, clock);
    return refuseOldTransport(listens(init) ? response : await withTrueType(response), address);
  };
}

const looksLikeJson = /^\ufeff?\s*[[{]/u;
const looksLikeEvents = /^\ufeff?\s*(?:data|event|id|retry)?:/u;
/** Bytes that tell the two apart. */
const telling = 16;

/** Some servers send an answer under no type, or another one: what begins as JSON or as an event stream is that. */
async function withTrueType(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.body) return response;
  const { begun, whole } = await peek(response, telling);
  const text = begun.toString('utf8');
  if (looksLikeJson.test(text)) whole.headers.set('content-type', 'application/json');
  else if (looksLikeEvents.test(text)) whole.headers.set('content-type', 'text/event-stream');
  return whole;
}

function refused(refusal: Refusal, { host }: URL, words: ServerWords | undefined): RefusedRequest {
  const code = refusal.kind === 'unauthorized' ? 'SIGN_IN_REQUIRED' : 'SCOPE_REQUIRED';
  return new RefusedRequest(code, { stage: 'connection', detail: { host }, words, refusal });
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

/** Its stream may be silent for long, and says by its head alone that it is there (MCP 2026-07-28, subscriptions). */
function listens({ headers }: RequestInit): boolean {
  return new Headers(headers).get('mcp-method') === 'subscriptions/listen';
}

function callsTool(body: RequestInit['body']): boolean {
  return /"method"\s*:\s*"tools\/call"/.test(textOf(body));
}

/** A refusal is shown to the user, so one that repeats the credential loses its body. */
async function withoutEcho(response: Response, credential: Credential | undefined): Promise<Response> {
  if (!credential || !isOfRequest(response.status)) return response;
  const { begun, whole } = await peek(response, refusalBytes);
  const own = isToken(credential) ? credential.token : credential.value;
  const secrets = [own, ...(credential.further ?? []).map(({ value }) => value)]
    // Of a header the scheme in front is no secret.
    .map((each) => each.reveal().replace(/^[a-z]+ (?=\S)/iu, ''))
    .filter((secret) => secret !== '');
  if (!secrets.some((secret) => begun.includes(secret))) return whole;
  await whole.body?.cancel();
  return new Response(null, { status: whole.status, headers: whole.headers });
}

/** Of the doubt that a status raises nothing is left where the server's own words are about the request. */
async function readDoubt(
  response: Response,
  doubt: Doubt | undefined,
): Promise<{ readonly doubt: Doubt | undefined; readonly whole: Response }> {
  if (doubt !== 'forbidden') return { doubt, whole: response };
  const { begun, whole } = await peek(response, refusalBytes);
  const words = readRefusalWords(begun.toString('utf8'), mediaType(whole));
  return { doubt: words && subjectOf(words) === 'request' ? undefined : doubt, whole };
}

async function refuseForbidden(response: Response, doubt: Doubt | undefined, { host }: URL): Promise<Response> {
  if (doubt !== 'forbidden') return response;
  const { status } = response;
  const { begun: body, whole } = await peek(response, refusalBytes);
  // An MCP server does not answer with a page. A firewall in front of it does, and cannot judge the sign-in.
  if (isPage(body)) throw noMcp('connection', { host, status, kind: 'web-page' });
  const words = readRefusalWords(body.toString('utf8'), mediaType(whole));
  const subject = words && subjectOf(words);
  if (subject === 'request' || (subject === 'nothing' && isOfRpc(body))) return whole;
  void whole.body?.cancel();
  const told = { stage: 'connection', detail: { host } } as const;
  // Without a challenge it judges what the account may do, not the token (RFC 6750 section 3.1, RFC 9110 section 15.5.4).
  if (!words) throw new PosternError('ACCESS_REFUSED', told);
  throw subject === 'sign-in'
    ? new ServerError('TOKEN_REJECTED', { ...told, words })
    : new FailedCall('SERVER_ERROR', { ...told, words });
}

/** What the server says no with, where that is a JSON-RPC error. Reads the response. */
async function wordsIn(response: Response): Promise<ServerWords | undefined> {
  const body = await readAtMost(response, refusalBytes).catch(() => Buffer.alloc(0));
  return isOfRpc(body) ? readRefusalWords(body.toString('utf8'), mediaType(response)) : undefined;
}

/** RFC 6585 section 4, RFC 9110 section 10.2.3: how long to wait is lost in the library's error. */
async function refuseBusy(response: Response, { host }: URL, clock: Pick<Clock, 'now'>): Promise<void> {
  const { status, headers } = response;
  const now = clock.now();
  const wait = parseRetryAfter(headers.get('retry-after'), now);
  if (status !== 429 && (status !== 503 || wait === undefined)) return;
  const retryAt = wait === undefined ? undefined : Math.trunc(now) + wait * 1_000;
  throw noMcp('connection', { host, status, retryAt }).with({ words: await wordsIn(response) });
}

/** What a server has against the proof of a request, which it has not acted on then (RFC 9449 sections 7.1 and 9). */
function proofDemand({ status, headers }: Response): ProofRefusal | undefined {
  if (status < 400 || status > 499) return undefined;
  return proofRefusalOf(parseTokenChallenge(headers)?.dpop?.error);
}

/** The answer, where it demands no other proof than there is. Errors: PROOF_REFUSED. */
async function requireProofTaken(response: Response, { host }: URL, clock: Pick<Clock, 'now'>): Promise<Response> {
  const demand = proofDemand(response);
  if (demand === undefined) return response;
  await response.body?.cancel();
  throw refusedProof(demand, { stage: 'connection', host, headers: response.headers, clock }).error;
}

/**
 * The same response, whose event stream errors where it begins as that of the old transport (MCP 2024-11-05): the
 * answer to a question never comes on it, and it never ends. `askedAt`: where the question went that it answers.
 */
function refuseOldTransport(response: Response, askedAt: CheckedAddress): Response {
  const { body } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const decoder = new TextDecoder();
  let start: string | undefined = '';
  const told = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (start !== undefined) {
          start += decoder.decode(chunk, { stream: true });
          const name = firstEventName(start);
          if (name === endpointEvent) throw oldTransport(askedAt, 'connection');
          if (name !== undefined || start.length > longestStart) start = undefined;
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return Object.defineProperty(response, 'body', { value: told });
}

/**
 * The error that it is refused with so, where its first piece tells; a response with all of it else. Errors: those of
 * reading.
 */
export async function beginsAsOld(response: Response): Promise<Response | OldTransport> {
  const { body, status, headers } = response;
  if (!body || mediaType(response) !== 'text/event-stream') return response;
  const reader = body.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined;
  try {
    first = await reader.read();
  } catch (error) {
    if (error instanceof OldTransport) return error;
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

/** Characters in which a first event is looked for: that of the old transport is an address. */
const longestStart = 4_096;

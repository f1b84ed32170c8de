import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { useAddress } from '../../../shared/error-catalog/network-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { checkAddress, checkDowngrade, checkTarget, isAllowedHost } from '../../address/check-address.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { canonicalHost, displayHost } from '../../address/display-text.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, headerBytes, redirectHops } from '../../limits.ts';
import type { Http, HttpRequest, HttpResponse, ResolveHostRequest, StreamRequest } from '../../ports.ts';
import { buildRequestHeaders, dispatchRequest, LargeBody, readBody } from './dispatch-request.ts';
import type { IncomingResponse, OutgoingRequest } from './dispatch-request.ts';
import { createHostResolver, createPinnedConnector, lookupHost, targetOf } from './pinned-connector.ts';
import type { ChooseProxy, HostLookup, HostResolver } from './pinned-connector.ts';
import { describeRequestFailure, asOffline } from './request-failure.ts';
import type { ConnectionNotes } from './request-failure.ts';

export interface HttpOptions {
  /** Resolver; default: the operating system's. IP literals and `localhost` never reach it. */
  readonly lookup?: HostLookup;
  /** PEM certificates instead of the default authorities; a function is called before each new connection. */
  readonly ca?: readonly string[] | (() => Promise<readonly string[]>);
  /** Default: no proxy. */
  readonly proxyFor?: ChooseProxy;
}

/** Bytes of a redirect's body to drain, so that its connection can be reused. */
const redirectBodyLimit = 16 * 1024;

/**
 * The only HTTP client (see the port for rules and errors). Keeps connections alive in one pool per address policy, so
 * that no integration reuses a connection that its own policy forbids.
 * Network errors come from `describeRequestFailure` and say whether the request may have been sent.
 */
export function createHttp(options: HttpOptions = {}): Http & { close(): Promise<void> } {
  const agents = new Map<string, { readonly agent: Agent; readonly resolve: HostResolver }>();
  const { lookup = lookupHost, ca, proxyFor = async () => undefined } = options;
  const notes: ConnectionNotes = {
    askedForCertificate: new Set(),
    refusedCertificate: new Map(),
    openingTunnel: new Map(),
  };
  let cached:
    { readonly certificates: readonly string[] | undefined; readonly secureContext: SecureContext } | undefined;
  const secureContext = async (): Promise<SecureContext> => {
    const certificates = typeof ca === 'function' ? await ca() : ca;
    if (cached === undefined || cached.certificates !== certificates)
      cached = { certificates, secureContext: makeSecureContext(certificates) };
    return cached.secureContext;
  };

  function poolFor(policy: AddressPolicy): { readonly agent: Agent; readonly resolve: HostResolver } {
    const key = JSON.stringify([policy.local, policy.typedHost, policy.allowedHosts, policy.allowHttp]);
    let pool = agents.get(key);
    if (pool === undefined) {
      const resolve = createHostResolver(policy, lookup);
      const connect = createPinnedConnector(policy, { resolve, secureContext, proxyFor, notes });
      pool = { agent: new Agent({ connect, allowH2: false, maxHeaderSize: headerBytes, useMilo: false }), resolve };
      agents.set(key, pool);
    }
    return pool;
  }

  async function send(
    request: Omit<StreamRequest, 'limits' | 'headersAt'>,
    url: URL,
    signal: AbortSignal,
    headers = request.headers ?? {},
    limit?: OutgoingRequest['limit'],
  ): Promise<IncomingResponse> {
    const { purpose, stage, method, body, policy, onSent } = request;
    // On every request, since a policy can be narrowed while connections are open.
    checkAddress(url, policy, stage);
    const dispatcher: Dispatcher = poolFor(policy).agent;
    const outgoing = { purpose, stage, method, url, headers: buildRequestHeaders(headers, stage), body, onSent, limit };
    try {
      return await dispatchRequest(dispatcher, { ...outgoing, notes }, signal);
    } catch (error) {
      throw await asOffline(error, url);
    }
  }

  async function exchange(request: HttpRequest): Promise<HttpResponse> {
    const { stage } = request;
    let url = parseAddress(request.url, stage);
    let headers = request.headers ?? {};
    const limit = limitExchange(request.deadline, stage, request.signal);
    try {
      for (let hop = 0; ; hop += 1) {
        const response = await send(request, url, limit.signal, headers);
        const target = await followRedirect(response, url, request, hop);
        if (target === undefined) {
          const body = await readBody(response, request.bodyLimit, stage);
          return { status: response.status, headers: response.headers, url: url.href, body };
        }
        headers = withoutCredentials(headers);
        url = target;
      }
    } finally {
      limit.release();
    }
  }

  async function stream(request: StreamRequest): Promise<Response> {
    const { stage, method } = request;
    let url = parseAddress(request.url, stage);
    const limit = limitExchange(request.deadline, stage, request.signal);
    const sendOnce = (headers = request.headers): Promise<IncomingResponse> =>
      send(request, url, limit.signal, headers, (received) =>
        limitMessages(isEventStream(received), { stage, host: url.host, limits: request.limits }),
      );
    try {
      let response = await sendOnce();
      for (let hop = 0; ; hop += 1) {
        const target = await followRedirect(response, url, { stage, method, redirects: 'same-request' }, hop);
        if (target === undefined) break;
        url = target;
        response = await sendOnce(await request.headersAt?.(target));
      }
      // Drain a body that `Response` does not allow, so that the connection can be reused.
      const body = nullBodyStatuses.has(response.status)
        ? await readBody(response, 0, stage).then(() => null)
        : response.body;
      // An event stream stays open; a document must end before the deadline.
      if (isEventStream(response.headers)) limit.stopTimer();
      void response.ended.then(limit.release);
      return toFetchResponse(response, body, url);
    } catch (error) {
      limit.release();
      throw error;
    }
  }

  async function resolveHost({
    purpose,
    stage,
    url: address,
    policy,
    deadline,
    signal,
  }: ResolveHostRequest): Promise<void> {
    const url = parseAddress(address, stage);
    const target = targetOf(url);
    checkTarget(target, policy, stage);
    if (isAllowedHost(target.hostname, policy) || isIP(canonicalHost(target.hostname)) !== 0) return;
    const limit = limitExchange(deadline, stage, signal);
    const ended = Promise.withResolvers<never>();
    const end = (): void => ended.reject(limit.signal.reason);
    if (limit.signal.aborted) end();
    else limit.signal.addEventListener('abort', end, { once: true });
    const resolving = async (): Promise<void> => {
      if ((await proxyFor(target)) === undefined) await poolFor(policy).resolve(target.protocol, target.hostname);
    };
    try {
      await Promise.race([resolving(), ended.promise]);
    } catch (error) {
      throw await asOffline(
        describeRequestFailure(error, { purpose, stage, url, notes, sent: 'no', hasResponse: false }),
        url,
      );
    } finally {
      limit.release();
    }
  }

  return {
    exchange,
    stream,
    resolveHost,
    async close() {
      const closing = [...agents.values()].map(({ agent }) => agent.destroy());
      agents.clear();
      await Promise.all(closing);
    },
  };
}

/** Takes some 20 ms for hundreds of authorities. The version is explicit, since `--tls-min-v1.0` lowers the default. */
function makeSecureContext(certificates: readonly string[] | undefined): SecureContext {
  return createSecureContext({ minVersion: 'TLSv1.2', ...(certificates && { ca: [...certificates] }) });
}

/**
 * The target of an allowed redirect, after draining the response so its connection can be reused. Errors: REDIRECT_*.
 */
async function followRedirect(
  response: IncomingResponse,
  url: URL,
  request: Parameters<typeof redirectTarget>[2],
  hop: number,
): Promise<URL | undefined> {
  const target = await cancelOnError(response, () => redirectTarget(response, url, request));
  if (target === undefined) return undefined;
  if (hop === redirectHops) {
    await response.body.cancel();
    throw new PosternError('REDIRECT_LOOP', { stage: request.stage, detail: { host: url.hostname } });
  }
  await readBody(response, redirectBodyLimit, request.stage).catch(ignoreLargeBody);
  return target;
}

/** Closes the connection of a response that is rejected unread. */
async function cancelOnError<Result>(response: IncomingResponse, decide: () => Result): Promise<Result> {
  try {
    return decide();
  } catch (error) {
    await response.body.cancel();
    throw error;
  }
}

function ignoreLargeBody(error: unknown): void {
  if (!(error instanceof LargeBody)) throw error;
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));
}

/** Fetch Standard: null body statuses. */
const nullBodyStatuses = new Set([204, 205, 304]);

function isEventStream(headers: Headers): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

function toFetchResponse(
  { status, headers }: IncomingResponse,
  body: IncomingResponse['body'] | null,
  url: URL,
): Response {
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url.href });
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Redirects that keep method and body (RFC 9110 sections 15.4.8 and 15.4.9). */
const sameRequestStatuses = new Set([307, 308]);

/** `same-origin`: follow GET requests. `same-request`: follow any request, on a status that keeps method and body. */
type RedirectMode = 'none' | 'same-origin' | 'same-request';

/**
 * The target of a redirect, or `undefined` if it is none. Never another origin: a redirect replays the request, and
 * nobody has vetted its target (RFC 9700 section 4.11).
 * Errors: REDIRECT_REFUSED, detail `{host, target, address?}`; URL_DOWNGRADE and the errors of `parseAddress`.
 */
function redirectTarget(
  response: IncomingResponse,
  from: URL,
  request: Pick<HttpRequest, 'method' | 'stage'> & { readonly redirects: RedirectMode },
): URL | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  const { stage } = request;
  const target = URL.parse(location, from.href);
  if (target === null) throw refusedRedirect(from, undefined, stage);
  checkDowngrade(from, target, stage);
  const mayFollow =
    request.redirects === 'same-request'
      ? sameRequestStatuses.has(response.status)
      : request.redirects === 'same-origin' && request.method === 'GET';
  if (!mayFollow || target.origin !== from.origin) throw refusedRedirect(from, target, stage);
  // RFC 9110 section 10.2.2: a fragment is for the reader of the document, not for the request.
  target.hash = '';
  return parseAddress(target.href, stage);
}

/**
 * Suggests a URL only if it is the user's own with https, or with or without a trailing slash: they have agreed to no
 * other.
 */
function refusedRedirect(from: URL, target: URL | undefined, stage: Stage): PosternError {
  const isUpgrade = from.protocol === 'http:' && target?.protocol === 'https:' && target.hostname === from.hostname;
  const isSlash = target?.origin === from.origin && withoutSlash(target) === withoutSlash(from);
  const address = `${target?.origin ?? ''}${isSlash ? target.pathname : from.pathname}`;
  // With other schemes, the "host" may be any text chosen by the server.
  const isWeb = target !== undefined && /^https?:$/u.test(target.protocol);
  return new PosternError('REDIRECT_REFUSED', {
    stage,
    detail: {
      host: from.hostname,
      ...(isWeb && { target: displayHost(target.hostname) }),
      ...(isUpgrade && { address }),
    },
    ...(isUpgrade && { blame: 'input' as const }),
    ...((isUpgrade || isSlash) && { remedy: useAddress(address) }),
  });
}

const withoutSlash = ({ pathname }: URL): string => pathname.replace(/\/$/u, '');

type StreamLimits = StreamRequest['limits'];

const defaultLimits = { message: bodyLimit.mcpMessage, stream: bodyLimit.mcpStream };

/** Two line endings in a row. CR, LF and CRLF each end a line, so a single CRLF is none of these. */
const blankLines = ['\n\n', '\n\r', '\r\r'].map((text) => Buffer.from(text));

/**
 * Limits a body as it arrives: a whole document, or each event of an event stream (WHATWG HTML section 9.2.6: an event
 * ends with a blank line) and their total. The returned function throws RESULT_TOO_LARGE.
 */
export function limitMessages(
  isStreamed: boolean,
  {
    stage,
    host,
    limits = defaultLimits,
  }: { readonly stage: Stage; readonly host: string; readonly limits: StreamLimits },
): (chunk: Uint8Array) => void {
  const tooLarge = () => new PosternError('RESULT_TOO_LARGE', { stage, detail: { host } });
  let length = 0;
  let total = 0;
  /** The last byte of the previous chunk: a blank line may be split. */
  let lastByte: number | undefined;

  function count(chunk: Uint8Array): void {
    length += chunk.byteLength;
    total += chunk.byteLength;
    if (!isStreamed || chunk[0] === undefined) return;
    // A view: copies would be garbage for every chunk of an endless stream.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const blank = Math.max(...blankLines.map((text) => bytes.lastIndexOf(text)));
    if (blank >= 0) length = bytes.length - blank - 2;
    else if (lastByte !== undefined && blankLines.some((text) => text[0] === lastByte && text[1] === chunk[0])) {
      length = bytes.length - 1;
    }
    lastByte = bytes.at(-1);
  }

  return (chunk) => {
    count(chunk);
    if (length > limits.message) throw tooLarge();
    if (isStreamed && total > limits.stream) throw tooLarge();
  };
}

/** Milliseconds. Longer timers fire immediately. */
const maxTimer = 2 ** 31 - 1;

interface ExchangeLimit {
  /** Aborts with a PosternError: DEADLINE, USER_CANCELLED, or what the caller gave as its reason. */
  readonly signal: AbortSignal;
  /** Drops the deadline; the caller's signal still counts. */
  stopTimer(): void;
  /** Drops both. */
  release(): void;
}

/** A signal for a whole exchange: aborts after `milliseconds`, or with the caller's signal. */
function limitExchange(milliseconds: number, stage: Stage, caller: AbortSignal | undefined): ExchangeLimit {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new PosternError('DEADLINE', { stage })),
    Math.min(Math.max(milliseconds, 0), maxTimer),
  );
  function cancel(): void {
    const reason: unknown = caller?.reason;
    controller.abort(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage }));
  }
  const stopTimer = () => clearTimeout(timer);
  if (caller?.aborted) cancel();
  else caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    stopTimer,
    release() {
      stopTimer();
      caller?.removeEventListener('abort', cancel);
    },
  };
}

import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { useAddress } from '../../../shared/error-catalogue/network-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { checkAddress, checkDowngrade, checkTarget, isNamedByPerson } from '../../address/check-address.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { canonicalHost, displayHost } from '../../address/display-text.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, headerBytes, redirectHops } from '../../limits.ts';
import type { Http, HttpRequest, HttpResponse, LocateRequest, StreamRequest } from '../../ports.ts';
import { buildRequestHeaders, dispatchRequest, LargeBody, readBody } from './dispatch-request.ts';
import type { IncomingResponse, OutgoingRequest } from './dispatch-request.ts';
import { createHostResolver, createPinnedConnector, lookupHost, targetOf } from './pinned-connector.ts';
import type { ChooseProxy, HostLookup, HostResolver } from './pinned-connector.ts';
import { describeRequestFailure, orOffline } from './request-failure.ts';
import type { ConnectionNotes } from './request-failure.ts';

export interface HttpOptions {
  /** Resolver; default: the operating system's. IP literals and `localhost` never reach it. */
  readonly lookup?: HostLookup;
  /** PEM certificates in place of the default authorities; a function is asked before each new connection. */
  readonly ca?: readonly string[] | (() => Promise<readonly string[]>);
  /** Which proxy leads to a target; default: none. */
  readonly proxyFor?: ChooseProxy;
}

/** Bytes of a redirect's body that are read to keep its connection usable. */
const redirectBodyLimit = 16 * 1024;

/**
 * The one HTTP client (see the port for its rules and errors). Connections are kept alive, in one pool per address
 * policy: what one integration may reach is never reused by another that may not.
 * Network errors are those of `describeRequestFailure`, which say whether the request may have left.
 */
export function createHttp(options: HttpOptions = {}): Http & { close(): Promise<void> } {
  const agents = new Map<string, { readonly agent: Agent; readonly resolve: HostResolver }>();
  const { lookup = lookupHost, ca, proxyFor = async () => undefined } = options;
  const notes: ConnectionNotes = {
    askedForCertificate: new Set(),
    refusedCertificate: new Map(),
    openingThrough: new Map(),
  };
  let context: { readonly of: readonly string[] | undefined; readonly made: SecureContext } | undefined;
  const secureContext = async (): Promise<SecureContext> => {
    const certificates = typeof ca === 'function' ? await ca() : ca;
    if (context === undefined || context.of !== certificates)
      context = { of: certificates, made: makeSecureContext(certificates) };
    return context.made;
  };

  function under(policy: AddressPolicy): { readonly agent: Agent; readonly resolve: HostResolver } {
    const key = JSON.stringify([policy.local, policy.typedHost, policy.allowedHosts, policy.allowHttp]);
    let known = agents.get(key);
    if (known === undefined) {
      const resolve = createHostResolver(policy, lookup);
      const connect = createPinnedConnector(policy, { resolve, secureContext, proxyFor, notes });
      known = { agent: new Agent({ connect, allowH2: false, maxHeaderSize: headerBytes, useMilo: false }), resolve };
      agents.set(key, known);
    }
    return known;
  }

  async function send(
    request: Omit<StreamRequest, 'limits' | 'headersAt'>,
    url: URL,
    signal: AbortSignal,
    headers = request.headers ?? {},
    limit?: OutgoingRequest['limit'],
  ): Promise<IncomingResponse> {
    const { purpose, stage, method, body, policy, onSent } = request;
    // On every request, not on adding the server: a policy can be narrowed while connections are open.
    checkAddress(url, policy, stage);
    const dispatcher: Dispatcher = under(policy).agent;
    const outgoing = { purpose, stage, method, url, headers: buildRequestHeaders(headers, stage), body, onSent, limit };
    try {
      return await dispatchRequest(dispatcher, { ...outgoing, notes }, signal);
    } catch (error) {
      throw await orOffline(error);
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
        const target = await leadsTo(response, url, request, hop);
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
        const target = await leadsTo(response, url, { stage, method, redirects: 'same-request' }, hop);
        if (target === undefined) break;
        url = target;
        response = await sendOnce(await request.headersAt?.(target));
      }
      // A body that a Response cannot carry is read away, so that the connection is free for the next request.
      const body = nullBodyStatuses.has(response.status)
        ? await readBody(response, 0, stage).then(() => null)
        : response.body;
      // An event stream stays open for good; a document has to end.
      if (isEventStream(response.headers)) limit.stopTimer();
      void response.ended.then(limit.release);
      return toFetchResponse(response, body, url);
    } catch (error) {
      limit.release();
      throw error;
    }
  }

  async function locate({ purpose, stage, url: address, policy, deadline, signal }: LocateRequest): Promise<void> {
    const url = parseAddress(address, stage);
    const target = targetOf(url);
    checkTarget(target, policy, stage);
    if (isNamedByPerson(target.hostname, policy) || isIP(canonicalHost(target.hostname)) !== 0) return;
    const limit = limitExchange(deadline, stage, signal);
    const ended = Promise.withResolvers<never>();
    const end = (): void => ended.reject(limit.signal.reason);
    if (limit.signal.aborted) end();
    else limit.signal.addEventListener('abort', end, { once: true });
    const looking = async (): Promise<void> => {
      if ((await proxyFor(target)) === undefined) await under(policy).resolve(target.protocol, target.hostname);
    };
    try {
      await Promise.race([looking(), ended.promise]);
    } catch (error) {
      throw await orOffline(describeRequestFailure(error, { purpose, stage, url, notes, sent: 'no', answered: false }));
    } finally {
      limit.release();
    }
  }

  return {
    exchange,
    stream,
    locate,
    async close() {
      const closing = [...agents.values()].map(({ agent }) => agent.destroy());
      agents.clear();
      await Promise.all(closing);
    },
  };
}

/** Takes some 20 ms for hundreds of authorities. The version is explicit, since --tls-min-v1.0 lowers it. */
function makeSecureContext(certificates: readonly string[] | undefined): SecureContext {
  return createSecureContext({ minVersion: 'TLSv1.2', ...(certificates && { ca: [...certificates] }) });
}

/** Where an answer sends its request, as far as it may; then its connection is free for that. Errors: REDIRECT_*. */
async function leadsTo(
  response: IncomingResponse,
  url: URL,
  request: Parameters<typeof redirectTarget>[2],
  hop: number,
): Promise<URL | undefined> {
  const target = await refusing(response, () => redirectTarget(response, url, request));
  if (target === undefined) return undefined;
  if (hop === redirectHops) {
    await response.body.cancel();
    throw new PosternError('REDIRECT_LOOP', { stage: request.stage, detail: { host: url.hostname } });
  }
  await readBody(response, redirectBodyLimit, request.stage).catch(ignoreLargeBody);
  return target;
}

/** An answer that is refused unread gives its connection up. */
async function refusing<Result>(response: IncomingResponse, decide: () => Result): Promise<Result> {
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

/** Fetch standard: a null body status has no body. */
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

/** Those that say that the same request is to be sent (RFC 9110 sections 15.4.8 and 15.4.9). */
const sameRequestStatuses = new Set([307, 308]);

/**
 * `same-origin`: a GET is sent on. `same-request`: any request, where the answer says that it is to be the same one.
 */
export type Following = 'none' | 'same-origin' | 'same-request';

/**
 * Where an answer sends us, or `undefined` when it is no redirect. Nothing is ever sent on to another origin: a
 * redirect replays the request, and its target has not been vetted by whoever chose the URL (RFC 9700 section 4.11).
 * Errors: REDIRECT_REFUSED, detail `{host, target, address?}`; URL_DOWNGRADE and the errors of `parseAddress`.
 */
export function redirectTarget(
  response: IncomingResponse,
  from: URL,
  request: Pick<HttpRequest, 'method' | 'stage'> & { readonly redirects: Following },
): URL | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  const { stage } = request;
  const target = URL.parse(location, from.href);
  if (target === null) throw refused(from, undefined, stage);
  checkDowngrade(from, target, stage);
  const mayFollow =
    request.redirects === 'same-request'
      ? sameRequestStatuses.has(response.status)
      : request.redirects === 'same-origin' && request.method === 'GET';
  if (!mayFollow || target.origin !== from.origin) throw refused(from, target, stage);
  // RFC 9110 section 10.2.2: a fragment is for the reader of the document, not for the request.
  target.hash = '';
  return parseAddress(target.href, stage);
}

/**
 * The address that would help is told where it is what a person typed, with https or with or without the slash at its
 * end: no other has been agreed to.
 */
function refused(from: URL, target: URL | undefined, stage: Stage): PosternError {
  const isUpgrade = from.protocol === 'http:' && target?.protocol === 'https:' && target.hostname === from.hostname;
  const isSlash = target?.origin === from.origin && withoutSlash(target) === withoutSlash(from);
  const address = `${target?.origin ?? ''}${isSlash ? target.pathname : from.pathname}`;
  // What other schemes have in its place may be any words of the server.
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

const usual = { message: bodyLimit.mcpMessage, stream: bodyLimit.mcpStream };

/** A line end and another one: CR, LF and CR LF each end a line, so CR LF alone is none of these. */
const blankLines = ['\n\n', '\n\r', '\r\r'].map((text) => Buffer.from(text));

/**
 * Counts the bytes of a body as they arrive, with a bound on what its reader has to hold at one time: on the whole of a
 * document, on each event of an event stream (WHATWG HTML section 9.2.6: an event ends with a blank line), and on all
 * of them together. What it answers errors with RESULT_TOO_LARGE.
 */
export function limitMessages(
  isStreamed: boolean,
  { stage, host, limits = usual }: { readonly stage: Stage; readonly host: string; readonly limits: StreamLimits },
): (chunk: Uint8Array) => void {
  const tooLarge = () => new PosternError('RESULT_TOO_LARGE', { stage, detail: { host } });
  let length = 0;
  let total = 0;
  /** The last byte of the chunk before: a blank line may come in two. */
  let carried: number | undefined;

  function count(chunk: Uint8Array): void {
    length += chunk.byteLength;
    total += chunk.byteLength;
    if (!isStreamed || chunk[0] === undefined) return;
    // A view, no copy: what is copied here would be garbage for each chunk of a stream that never ends.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const blank = Math.max(...blankLines.map((text) => bytes.lastIndexOf(text)));
    if (blank >= 0) length = bytes.length - blank - 2;
    else if (carried !== undefined && blankLines.some((text) => text[0] === carried && text[1] === chunk[0])) {
      length = bytes.length - 1;
    }
    carried = bytes.at(-1);
  }

  return (chunk) => {
    count(chunk);
    if (length > limits.message) throw tooLarge();
    if (isStreamed && total > limits.stream) throw tooLarge();
  };
}

/** A timer of 2^31 ms or more fires at once. */
const longestTimer = 2 ** 31 - 1;

export interface ExchangeLimit {
  /** Aborts with a PosternError: DEADLINE, USER_CANCELLED, or what the caller gave as its reason. */
  readonly signal: AbortSignal;
  /** The deadline counts no longer; the caller's own signal still does. */
  stopTimer(): void;
  /** Ends both. */
  release(): void;
}

/** One end for a whole exchange: `milliseconds` from now, or when the caller aborts. */
export function limitExchange(milliseconds: number, stage: Stage, caller: AbortSignal | undefined): ExchangeLimit {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new PosternError('DEADLINE', { stage })),
    Math.min(Math.max(milliseconds, 0), longestTimer),
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

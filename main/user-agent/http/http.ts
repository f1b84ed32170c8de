import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress } from '../../address/check-address.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { headerBytes, redirectHops } from '../../limits.ts';
import type { Http, HttpRequest, HttpResponse, StreamRequest } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { ConnectionNotes } from './connection-notes.ts';
import { dispatchRequest } from './dispatch-request.ts';
import type { IncomingResponse, OutgoingRequest } from './dispatch-request.ts';
import { limitExchange } from './exchange-limit.ts';
import { lookupHost, createPinnedConnector } from './pinned-connector.ts';
import type { HostLookup, ChooseProxy } from './pinned-connector.ts';
import { limitMessages } from './limit-messages.ts';
import { LargeBody, readBody } from './read-body.ts';
import { redirectTarget } from './redirect-target.ts';
import { buildRequestHeaders } from './request-headers.ts';

export interface HttpOptions {
  /** Resolver; default: the operating system's. IP literals and `localhost` never reach it. */
  readonly lookup?: HostLookup;
  /** PEM certificates that stand in for the default authorities; a function is asked once, when they are needed. */
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
  const agents = new Map<string, Agent>();
  const { lookup = lookupHost, ca, proxyFor = async () => undefined } = options;
  const notes: ConnectionNotes = {
    askedForCertificate: new Set(),
    refusedCertificate: new Map(),
    openingThrough: new Map(),
  };
  let context: Promise<SecureContext> | undefined;
  const secureContext = (): Promise<SecureContext> => (context ??= makeSecureContext(ca));

  function agentFor(policy: AddressPolicy): Agent {
    const key = JSON.stringify([policy.local, policy.typedHost, policy.allowedHosts, policy.allowHttp]);
    let agent = agents.get(key);
    if (agent === undefined) {
      const connect = createPinnedConnector(policy, { lookup, secureContext, proxyFor, notes });
      agent = new Agent({ connect, allowH2: false, maxHeaderSize: headerBytes, useMilo: false });
      agents.set(key, agent);
    }
    return agent;
  }

  function send(
    request: Omit<StreamRequest, 'limits' | 'headersAt'>,
    url: URL,
    signal: AbortSignal,
    headers = request.headers ?? {},
    limit?: OutgoingRequest['limit'],
  ): Promise<IncomingResponse> {
    const { purpose, stage, method, body, policy, onSent } = request;
    // On every request, not on adding the server: a policy can be narrowed while connections are open.
    checkAddress(url, policy, stage);
    const dispatcher: Dispatcher = agentFor(policy);
    return dispatchRequest(
      dispatcher,
      { purpose, stage, method, url, headers: buildRequestHeaders(headers, stage), body, onSent, limit, notes },
      signal,
    );
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

  return {
    exchange,
    stream,
    async close() {
      const closing = [...agents.values()].map((agent) => agent.destroy());
      agents.clear();
      await Promise.all(closing);
    },
  };
}

/**
 * Made once: hundreds of authorities take some 20 ms to read. The version is explicit, since --tls-min-v1.0 lowers it.
 */
async function makeSecureContext(ca: HttpOptions['ca']): Promise<SecureContext> {
  const certificates = typeof ca === 'function' ? await ca() : ca;
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

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PosternError } from '../../errors/postern-error.ts';
import { responseSent } from '../../gateway-ports.ts';
import type { Admission, AdmitBearer, Endpoint, Reservation, AppResponse, AppRequest } from '../../gateway-ports.ts';
import { bodyIdleTimeout, gatewayHttp, gatewayMessage, gatewaySession } from '../../limits.ts';
import { EventBoundary } from '../../message-lines.ts';

interface HttpEndpointOptions {
  readonly port: number;
  readonly admit: AdmitBearer;
  /** Default: no web page is allowed. */
  readonly allowedOrigin?: AllowedOrigin;
}

/** The gateway's HTTP endpoint, on loopback only. Errors of `listen`: GATEWAY_PORT, CFG_*. */
export function createHttpEndpoint({ port, admit, allowedOrigin = noOrigin }: HttpEndpointOptions): Endpoint {
  const context = {
    port,
    admit,
    allowedOrigin,
    wrongSecrets: new WrongSecrets(),
    connections: new ConnectionLimit(),
  };
  // A body may be slow; headers may not.
  const timeouts = { keepAliveTimeout: 30_000, requestTimeout: 0, headersTimeout: gatewayHttp.headTimeout };
  const inFlight = new Set<ServerResponse>();
  let hasStopped = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // The next request should reach whichever gateway serves by then.
    if (hasStopped) response.setHeader('connection', 'close');
    // An endless listening stream must not delay the shutdown.
    if (request.method === 'POST' && request.headers['mcp-method'] !== 'subscriptions/listen') {
      inFlight.add(response);
      response.once('close', () => inFlight.delete(response));
    }
    serve(request, response, context)
      .then(async (refusal) => {
        if (!refusal) return;
        // Nor must a refused request.
        inFlight.delete(response);
        await refuse(request, response, refusal);
      })
      .catch(() => response.destroy());
  };
  const server = createServer(timeouts, onRequest);
  // Otherwise Node requests the body (RFC 9110 section 10.1.1) before we have authenticated its sender.
  server.on('checkContinue', onRequest);
  server.on('connection', (socket) => context.connections.add(socket));
  // A failed accept does not affect other connections.
  server.on('error', () => {});
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', (cause) => {
          reject(new PosternError('GATEWAY_PORT', { stage: 'gateway', cause, detail: { port } }));
        });
        server.listen(port, '127.0.0.1', resolve);
      }),
    get isIdle() {
      return inFlight.size === 0;
    },
    stopAccepting() {
      hasStopped = true;
      server.close();
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const noOrigin: AllowedOrigin = async () => undefined;

interface ServingContext extends Required<HttpEndpointOptions> {
  readonly wrongSecrets: WrongSecrets;
  readonly connections: ConnectionLimit;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Authorizes by the headers alone, before reading the body. Returns a refusal, if any. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServingContext,
): Promise<Refusal | undefined> {
  const sender = await readSender(request, context.port, context.allowedOrigin);
  if (sender.kind === 'untrusted') return { status: 403 };
  if (sender.kind === 'page') allowOrigin(response, sender.origin);
  const reference = /^\/mcp\/(\+?[a-z0-9-]{1,24})$/u.exec(request.url ?? '')?.[1];
  if (reference === undefined) return { status: 404 };
  if (sender.kind === 'page' && isPreflight(request)) {
    end(response, preflightResponse(request));
    return undefined;
  }
  const admission = await admitBySecret(request, reference, context);
  if (admission === 401) return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
  if (typeof admission === 'number') return { status: admission };
  if (!context.connections.authenticate(request.socket, admission.app)) return { status: 503 };
  const method = (['POST', 'GET', 'DELETE'] as const).find((known) => known === request.method);
  if (!method) return { status: 405, headers: { allow: 'POST, GET, DELETE' } };
  const result = await handleMessage(request, response, { ...admission, method });
  if (typeof result === 'number') return { status: result };
  await send(response, result);
  return undefined;
}

interface AdmittedRequest extends Pick<Admitted, 'respond' | 'openReading'> {
  readonly method: AppRequest['method'];
}

/** The abort reason when a client disconnects before it has its response. */
const clientGone = new PosternError('USER_CANCELLED', { stage: 'gateway' });

/** Returns a status if the message is too long or incomplete. */
async function handleMessage(
  request: IncomingMessage,
  response: ServerResponse,
  { method, respond, openReading }: AdmittedRequest,
): Promise<AppResponse | 408 | 413> {
  if (request.headers.expect !== undefined) response.writeContinue();
  const bodyResult = await readRequestBody(
    request,
    openReading(() => request.socket.destroy()),
  );
  if (bodyResult.kind !== 'whole') return bodyResult.kind === 'silent' ? 408 : 413;
  const disconnect = new AbortController();
  // Shared reasons: a new error per request would cost a stack trace each.
  response.once('close', () => disconnect.abort(response.writableFinished ? responseSent : clientGone));
  const headers = request.headers as AppRequest['headers'];
  return await respond({ method, headers, body: bodyResult.bytes, signal: disconnect.signal });
}

/**
 * Refuses and closes. A client that is cut off while sending never sees the response (RFC 9112 section 9.6), so we
 * drain some of its body first.
 */
async function refuse(request: IncomingMessage, response: ServerResponse, { status, headers }: Refusal): Promise<void> {
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': 0 }).flushHeaders();
  const drained = new AbortController();
  const timer = setTimeout(() => drained.abort(), gatewayHttp.headTimeout);
  let remaining: number = gatewaySession.buffer;
  request.on('data', (chunk: Buffer) => {
    remaining -= chunk.byteLength;
    if (remaining < 0) drained.abort();
  });
  if (!request.readableEnded) await once(request, 'end', { signal: drained.signal }).catch(() => {});
  clearTimeout(timer);
  response.end();
}

async function send(response: ServerResponse, result: AppResponse): Promise<void> {
  const { status, headers, body } = result;
  if (!(body instanceof ReadableStream)) return end(response, result);
  response.writeHead(status, headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream');
  // A stream may be silent for long; other headers go out with the first bytes of the body.
  if (isStream) response.flushHeaders();
  const source = Readable.fromWeb(body);
  const stopComments = isStream ? keepAlive(source, response) : () => {};
  try {
    await pipeline(source, response);
  } finally {
    stopComments();
  }
}

/** Sends SSE comments, so that intermediaries do not close an idle stream. Returns how to stop. */
function keepAlive(source: Readable, response: ServerResponse): () => void {
  const boundary = new EventBoundary();
  source.on('data', (chunk: Uint8Array) => boundary.feed(chunk));
  const timer = setInterval(() => void (boundary.isReached && response.write(':\n\n')), gatewayHttp.commentInterval);
  return () => clearInterval(timer);
}

function end(response: ServerResponse, { status, headers, body }: AppResponse): void {
  if (body === undefined || body instanceof ReadableStream) return void response.writeHead(status, headers).end();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** The app whose secret the request has, or the status of the refusal. Never rejects. */
async function admitBySecret(
  { headers }: IncomingMessage,
  alias: string,
  { admit, wrongSecrets }: { readonly admit: AdmitBearer; readonly wrongSecrets: WrongSecrets },
): Promise<number | Admitted> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/u.exec(headers.authorization ?? '')?.[1];
  const admission = secret === undefined ? ({ kind: 'unknown' } as const) : await admit(secret, alias);
  switch (admission.kind) {
    case 'admitted':
      return admission;
    case 'not-allowed':
      return 404;
    case 'unknown':
      // Counted only here, so that guesses never lock out an app with the right secret.
      if (wrongSecrets.areTooMany) return 429;
      if (secret !== undefined) wrongSecrets.record();
      return 401;
  }
}

/** Wrong secrets of the last minute. */
class WrongSecrets {
  #times: number[] = [];

  get areTooMany(): boolean {
    const since = performance.now() - 60_000;
    this.#times = this.#times.filter((time) => time > since);
    return this.#times.length >= gatewayHttp.wrongSecrets;
  }

  record(): void {
    this.#times.push(performance.now());
  }
}

/** Headers of MCP that a preflight may request. */
const allowedHeaders =
  /^(?:accept|authorization|content-type|last-event-id|mcp-(?:method|name|protocol-version|session-id|param-[a-z0-9-]{1,64}))$/;

/** Lets only pages of this origin read the response (Fetch Standard, section 3.2). */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, retry-after, www-authenticate');
  response.setHeader('vary', 'Origin');
}

/** A CORS preflight, which never carries the secret. */
function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function preflightResponse({ headers }: Pick<IncomingMessage, 'headers'>): AppResponse {
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': names.filter((name) => allowedHeaders.test(name)).join(', '),
    },
  };
}

/** The one web origin that the user has allowed. Never rejects. */
type AllowedOrigin = () => Promise<string | undefined>;

/** The sender according to the headers: an app, the allowed web page, or an untrusted one. */
type RequestSender = { readonly kind: 'app' | 'untrusted' } | { readonly kind: 'page'; readonly origin: string };

/** Web pages send an Origin; a page that uses DNS rebinding sends a foreign Host. */
async function readSender(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  port: number,
  allowedOrigin: AllowedOrigin,
): Promise<RequestSender> {
  const { host: hosts = [], origin: origins = [] } = headersDistinct;
  const [host = ''] = hosts;
  // Several Host fields are invalid (RFC 9112 section 3.2): an intermediary may have used another one.
  if (hosts.length > 1 || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return { kind: 'untrusted' };
  const [origin] = origins;
  if (origin === undefined) return { kind: 'app' };
  if (origins.length > 1 || origin !== (await allowedOrigin())) return { kind: 'untrusted' };
  return { kind: 'page', origin };
}

/**
 * Limits connections, since each costs a file descriptor and any local user can connect. Unauthenticated connections
 * never keep an app out, and no app keeps out another.
 */
class ConnectionLimit {
  /** Oldest first. */
  readonly #unauthenticated = new Set<Socket>();
  readonly #byApp = new Map<string, Set<Socket>>();

  add(socket: Socket): void {
    this.#unauthenticated.add(socket);
    socket.once('close', () => void this.#unauthenticated.delete(socket));
    if (this.#unauthenticated.size <= gatewayHttp.unauthenticated) return;
    const [oldest] = this.#unauthenticated;
    if (!oldest) return;
    // Remove at once: closing takes a moment, during which others may connect.
    this.#unauthenticated.delete(oldest);
    oldest.destroy();
  }

  /** Assigns the connection to an app. False if the app has reached its limit. */
  authenticate(socket: Socket, app: string): boolean {
    const connections = this.#byApp.get(app) ?? new Set();
    if (connections.has(socket)) return true;
    if (connections.size >= gatewayHttp.perApp) return false;
    this.#unauthenticated.delete(socket);
    this.#byApp.set(app, connections.add(socket));
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size === 0) this.#byApp.delete(app);
    });
    return true;
  }
}

/** A complete body, one beyond the message limit, or one that stopped arriving. */
export type BodyResult =
  { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'too-long' } | { readonly kind: 'silent' };

/** Reads a body, waiting for memory budget as it grows. Errors: those of the connection. */
export async function readRequestBody(request: IncomingMessage, reservation: Reservation): Promise<BodyResult> {
  if (Number(request.headers['content-length'] ?? 0) > gatewayMessage.size) return { kind: 'too-long' };
  const { socket } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  // Keep the connection for the response.
  const chunkIterator = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const releaseBudget = (): void => void reservation.reserve(0);
  socket.once('close', releaseBudget);
  try {
    for (;;) {
      const next = await unlessTimeout(chunkIterator.next());
      if (next === undefined) return { kind: 'silent' };
      if (next.done === true) return { kind: 'whole', bytes: Buffer.concat(chunks) };
      size += next.value.byteLength;
      if (size > gatewayMessage.size) return { kind: 'too-long' };
      await reservation.reserve(size);
      if (socket.destroyed) throw new Error('the connection has closed');
      chunks.push(next.value);
    }
  } finally {
    socket.off('close', releaseBudget);
    // From here on the message itself counts against the budget.
    releaseBudget();
  }
}

/** `undefined` on a timeout; a later result is dropped. */
async function unlessTimeout<Result>(coming: Promise<Result>): Promise<Result | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), bodyIdleTimeout);
  coming.catch(() => {});
  try {
    return await Promise.race([coming, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

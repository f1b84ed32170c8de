import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PosternError } from '../../errors/postern-error.ts';
import { wholeAnswer } from '../../gateway-ports.ts';
import type { Admission, AdmitBearer, Endpoint, Holding, ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { bodySilence, gatewayHttp, gatewayMessage, gatewaySession } from '../../limits.ts';
import { BetweenEvents } from '../../message-lines.ts';

interface HttpEndpointOptions {
  readonly port: number;
  readonly admit: AdmitBearer;
  /** Left out: no page may come in. */
  readonly allowedOrigin?: AllowedOrigin;
}

/** The way in for programs that speak HTTP, on this computer alone. `listen` errors with GATEWAY_PORT, CFG_*. */
export function createHttpEndpoint({ port, admit, allowedOrigin = noPage }: HttpEndpointOptions): Endpoint {
  const serving = {
    port,
    admit,
    allowedOrigin,
    wrongSecrets: new WrongSecrets(),
    connections: new ConnectionRoom(),
  };
  // A message may take its time; its head may not.
  const timeouts = { keepAliveTimeout: 30_000, requestTimeout: 0, headersTimeout: gatewayHttp.head };
  const underWay = new Set<ServerResponse>();
  let hasStopped = false;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    // The next request is for whichever gateway serves by then.
    if (hasStopped) response.setHeader('connection', 'close');
    // A stream that a program listens on without end does not hold up the end.
    if (request.method === 'POST' && request.headers['mcp-method'] !== 'subscriptions/listen') {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    }
    serve(request, response, serving)
      .then(async (no) => {
        if (!no) return;
        // Nor does a request that is refused.
        underWay.delete(response);
        await refuse(request, response, no);
      })
      .catch(() => response.destroy());
  };
  const server = createServer(timeouts, take);
  // Else a body would be asked for (RFC 9110 section 10.1.1) before it is known whose it is.
  server.on('checkContinue', take);
  server.on('connection', (socket) => serving.connections.enter(socket));
  // A connection that could not be taken concerns no other.
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
      return underWay.size === 0;
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

const noPage: AllowedOrigin = async () => undefined;

interface Serving extends Required<HttpEndpointOptions> {
  readonly wrongSecrets: WrongSecrets;
  readonly connections: ConnectionRoom;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Decides by the head alone before a byte of the body is read. Answers what has to be refused. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<Refusal | undefined> {
  const sender = await readSender(request, serving.port, serving.allowedOrigin);
  if (sender.kind === 'stranger') return { status: 403 };
  if (sender.kind === 'page') showToPage(response, sender.origin);
  const reference = /^\/mcp\/(\+?[a-z0-9-]{1,24})$/u.exec(request.url ?? '')?.[1];
  if (reference === undefined) return { status: 404 };
  if (sender.kind === 'page' && isPreflight(request)) {
    end(response, answerPreflight(request));
    return undefined;
  }
  const admission = await admitBySecret(request, reference, serving);
  if (admission === 401) return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
  if (typeof admission === 'number') return { status: admission };
  if (!serving.connections.know(request.socket, admission.program)) return { status: 503 };
  const method = (['POST', 'GET', 'DELETE'] as const).find((known) => known === request.method);
  if (!method) return { status: 405, headers: { allow: 'POST, GET, DELETE' } };
  const answer = await answerTo(request, response, { ...admission, method });
  if (typeof answer === 'number') return { status: answer };
  await send(response, answer);
  return undefined;
}

interface Asking extends Pick<Admitted, 'answer' | 'openReading'> {
  readonly method: ProgramRequest['method'];
}

/** The program has its answer, or no longer waits for it. */
const hasGone = new PosternError('USER_CANCELLED', { stage: 'gateway' });

/** A status where its message is too long, or does not come to its end. */
async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  { method, answer, openReading }: Asking,
): Promise<ProgramAnswer | 408 | 413> {
  if (request.headers.expect !== undefined) response.writeContinue();
  const reading = await readRequestBody(
    request,
    openReading(() => request.socket.destroy()),
  );
  if (reading.kind !== 'whole') return reading.kind === 'silent' ? 408 : 413;
  const gone = new AbortController();
  // A reason of its own would be made for each request, with a trace of the stack.
  response.once('close', () => gone.abort(response.writableFinished ? wholeAnswer : hasGone));
  const headers = request.headers as ProgramRequest['headers'];
  return await answer({ method, headers, body: reading.bytes, signal: gone.signal });
}

/**
 * Says no and hangs up. Who is cut off while it sends does not see why (RFC 9112 section 9.6): some of the rest is
 * read, and thrown away.
 */
async function refuse(request: IncomingMessage, response: ServerResponse, { status, headers }: Refusal): Promise<void> {
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': 0 }).flushHeaders();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), gatewayHttp.head);
  let left: number = gatewaySession.buffer;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) over.abort();
  });
  if (!request.readableEnded) await once(request, 'end', { signal: over.signal }).catch(() => {});
  clearTimeout(timer);
  response.end();
}

async function send(response: ServerResponse, answer: ProgramAnswer): Promise<void> {
  const { status, headers, body } = answer;
  if (!(body instanceof ReadableStream)) return end(response, answer);
  response.writeHead(status, headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream');
  // A program that listens may hear nothing for long; all else goes out with its first bytes.
  if (isStream) response.flushHeaders();
  const source = Readable.fromWeb(body);
  const stopComments = isStream ? keepAlive(source, response) : () => {};
  try {
    await pipeline(source, response);
  } finally {
    stopComments();
  }
}

/** Whatever stands between keeps a stream open that says something now and then. Answers what ends that. */
function keepAlive(source: Readable, response: ServerResponse): () => void {
  const between = new BetweenEvents();
  source.on('data', (chunk: Uint8Array) => between.pass(chunk));
  const timer = setInterval(() => void (between.is && response.write(':\n\n')), gatewayHttp.comment);
  return () => clearInterval(timer);
}

function end(response: ServerResponse, { status, headers, body }: ProgramAnswer): void {
  if (body === undefined || body instanceof ReadableStream) return void response.writeHead(status, headers).end();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** The status that says no, or the program whose secret the request shows. Never rejects. */
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
      // Counted only here: what others guess locks nobody out who has the right one.
      if (wrongSecrets.areTooMany) return 429;
      if (secret !== undefined) wrongSecrets.note();
      return 401;
  }
}

/** Guesses of the last minute. */
class WrongSecrets {
  #times: number[] = [];

  get areTooMany(): boolean {
    const since = performance.now() - 60_000;
    this.#times = this.#times.filter((time) => time > since);
    return this.#times.length >= gatewayHttp.wrongSecrets;
  }

  note(): void {
    this.#times.push(performance.now());
  }
}

/** Fields of MCP that a browser asks about before a page may send them. */
const sent =
  /^(?:accept|authorization|content-type|last-event-id|mcp-(?:method|name|protocol-version|session-id|param-[a-z0-9-]{1,64}))$/;

/** Lets the browser show the page of this origin, and no other, what is answered (Fetch standard, section 3.2). */
function showToPage(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, retry-after, www-authenticate');
  response.setHeader('vary', 'Origin');
}

/** What a browser asks before it sends the request of a page; such a question shows no secret. */
function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ headers }: Pick<IncomingMessage, 'headers'>): ProgramAnswer {
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': names.filter((name) => sent.test(name)).join(', '),
    },
  };
}

/** The origin of the one web page that a person has allowed. Never rejects. */
type AllowedOrigin = () => Promise<string | undefined>;

/** Who sends, as the head of a request alone tells: a program, the page that a person has allowed, or somebody else. */
type RequestSender = { readonly kind: 'program' | 'stranger' } | { readonly kind: 'page'; readonly origin: string };

/** A page of the web has an Origin, and one that has pointed its name here another Host (DNS rebinding). */
async function readSender(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  port: number,
  allowedOrigin: AllowedOrigin,
): Promise<RequestSender> {
  const { host: hosts = [], origin: origins = [] } = headersDistinct;
  const [host = ''] = hosts;
  // Of several, others may have looked at another one (RFC 9112 section 3.2).
  if (hosts.length > 1 || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return { kind: 'stranger' };
  const [origin] = origins;
  if (origin === undefined) return { kind: 'program' };
  if (origins.length > 1 || origin !== (await allowedOrigin())) return { kind: 'stranger' };
  return { kind: 'page', origin };
}

/**
 * The connections of a port that everybody on this computer may connect to: so many, since each costs a descriptor.
 * Whoever has shown no secret keeps nobody out, and no program keeps out another one.
 */
class ConnectionRoom {
  /** The one that has been there longest first. */
  readonly #strangers = new Set<Socket>();
  /** By program. */
  readonly #known = new Map<string, Set<Socket>>();

  enter(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => void this.#strangers.delete(socket));
    if (this.#strangers.size <= gatewayHttp.strangers) return;
    const [longest] = this.#strangers;
    if (!longest) return;
    // Its end takes a moment, in which others come.
    this.#strangers.delete(longest);
    longest.destroy();
  }

  /** The secret of a program came by it. False: that one has as many as it may have. */
  know(socket: Socket, program: string): boolean {
    const own = this.#known.get(program) ?? new Set();
    if (own.has(socket)) return true;
    if (own.size >= gatewayHttp.ofProgram) return false;
    this.#strangers.delete(socket);
    this.#known.set(program, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#known.delete(program);
    });
    return true;
  }
}

/** What came of reading a body: all of it, or that it is longer than a message may be, or that no more of it comes. */
export type Reading =
  { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'too-long' } | { readonly kind: 'silent' };

/** Reads a body as far as there is room for what has come of it. Errors: those of the connection. */
export async function readRequestBody(request: IncomingMessage, holding: Holding): Promise<Reading> {
  if (Number(request.headers['content-length'] ?? 0) > gatewayMessage.size) return { kind: 'too-long' };
  const { socket } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays, for the answer.
  const coming = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const giveUp = (): void => void holding.hold(0);
  socket.once('close', giveUp);
  try {
    for (;;) {
      const next = await unlessSilent(coming.next());
      if (next === undefined) return { kind: 'silent' };
      if (next.done === true) return { kind: 'whole', bytes: Buffer.concat(chunks) };
      size += next.value.byteLength;
      if (size > gatewayMessage.size) return { kind: 'too-long' };
      await holding.hold(size);
      if (socket.destroyed) throw new Error('the connection has closed');
      chunks.push(next.value);
    }
  } finally {
    socket.off('close', giveUp);
    // From here on it counts as the message that it is.
    giveUp();
  }
}

/** `undefined`: it has taken too long. What comes later is dropped. */
async function unlessSilent<Result>(coming: Promise<Result>): Promise<Result | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), bodySilence);
  coming.catch(() => {});
  try {
    return await Promise.race([coming, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gatewayHttp, gatewaySession } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { AdmitBearer, Endpoint, ProgramAnswer, ProgramRequest } from '../gateway-ports.ts';
import { BetweenEvents } from '../between-events.ts';
import { admitBySecret, type Admitted, WrongSecrets } from './admit-by-secret.ts';
import { BodyRoom } from './body-room.ts';
import { ConnectionRoom } from './connection-room.ts';
import { answerPreflight, isPreflight, showToPage } from './page-access.ts';
import { type AllowedOrigin, readSender } from './request-sender.ts';

export interface HttpEndpointOptions {
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
    rooms: new Map(),
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
  /** By program. */
  readonly rooms: Map<string, BodyRoom>;
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
  const room = serving.rooms.get(admission.program) ?? new BodyRoom();
  serving.rooms.set(admission.program, room);
  const answer = await answerTo(request, response, { method, room, ask: admission.answer });
  if (typeof answer === 'number') return { status: answer };
  await send(response, answer);
  return undefined;
}

interface Asking {
  readonly method: ProgramRequest['method'];
  readonly room: BodyRoom;
  readonly ask: Admitted['answer'];
}

/** The program has its answer, or no longer waits for it. */
const hasGone = new PosternError('USER_CANCELLED', { stage: 'gateway' });

/** A status where its message is too long, or does not come to its end. */
async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  { method, room, ask }: Asking,
): Promise<ProgramAnswer | 408 | 413> {
  const body = room.enter(request);
  try {
    if (request.headers.expect !== undefined) response.writeContinue();
    const reading = await body.read();
    if (reading.kind !== 'whole') return reading.kind === 'silent' ? 408 : 413;
    const gone = new AbortController();
    // A reason of its own would be made for each request, with a trace of the stack.
    response.once('close', () => gone.abort(hasGone));
    const headers = request.headers as ProgramRequest['headers'];
    return await ask({ method, headers, body: reading.bytes, signal: gone.signal });
  } finally {
    body.leave();
  }
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

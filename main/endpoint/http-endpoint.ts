import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gatewayHttp, gatewayMessage } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Admission, AdmitBearer, Endpoint, ProgramAnswer, ProgramRequest } from '../gateway-ports.ts';
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
  const refused = new WrongSecrets();
  // A message may take its time; its head may not.
  const timeouts = { keepAliveTimeout: 30_000, requestTimeout: 0, headersTimeout: gatewayHttp.head };
  let underWay = 0;
  let hasStopped = false;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    // The next one is for whoever serves then.
    if (hasStopped) response.setHeader('connection', 'close');
    // What a program listens on without end keeps nobody from ending.
    if (request.method === 'POST' && request.headers['mcp-method'] !== 'subscriptions/listen') {
      underWay += 1;
      response.once('close', () => (underWay -= 1));
    }
    serve(request, response, { port, admit, allowedOrigin, refused }).catch(() => response.destroy());
  };
  const server = createServer(timeouts, take);
  // Else a body would be asked for (RFC 9110 section 10.1.1) before it is known whose it is.
  server.on('checkContinue', take);
  // Everybody on this computer may connect, and every connection costs a descriptor.
  server.maxConnections = gatewayHttp.connections;
  // One that could not be taken is nobody's but its own.
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
      return underWay === 0;
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
  readonly refused: WrongSecrets;
}

/** Decides by the head alone before a byte of the body is read. */
async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const sender = await readSender(request, serving.port, serving.allowedOrigin);
  if (sender.kind === 'stranger') return end(response, { status: 403, headers: {} });
  if (sender.kind === 'page') showToPage(response, sender.origin);
  const alias = /^\/mcp\/([a-z0-9-]{1,24})$/u.exec(request.url ?? '')?.[1];
  if (alias === undefined) return end(response, { status: 404, headers: {} });
  if (sender.kind === 'page' && isPreflight(request)) return end(response, answerPreflight(request));
  const admission = await admitBySecret(request, alias, serving);
  if (typeof admission === 'number') {
    // Each further guess costs a connection.
    const headers =
      admission === 401 ? { 'www-authenticate': 'Bearer' } : admission === 429 ? { connection: 'close' } : {};
    return end(response, { status: admission, headers });
  }
  const method = readMethod(request.method);
  if (!method) return end(response, { status: 405, headers: { allow: 'POST, GET, DELETE' } });
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = await readBody(request);
  // The rest is not read.
  if (!body) return end(response, { status: 413, headers: { connection: 'close' } });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const headers = request.headers as ProgramRequest['headers'];
  await send(response, await admission.answer({ method, headers, body, signal: gone.signal }));
}

async function admitBySecret(
  { headers }: IncomingMessage,
  alias: string,
  { admit, refused }: Serving,
): Promise<number | Extract<Admission, { kind: 'admitted' }>> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/u.exec(headers.authorization ?? '')?.[1];
  const admission = secret === undefined ? ({ kind: 'unknown' } as const) : await admit(secret, alias);
  switch (admission.kind) {
    case 'admitted':
      return admission;
    case 'not-allowed':
      return 404;
    case 'unknown':
      // Counted only here: what others guess locks nobody out who has the right one.
      if (refused.areTooMany) return 429;
      if (secret !== undefined) refused.note();
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

function readMethod(method: string | undefined): ProgramRequest['method'] | undefined {
  return method === 'POST' || method === 'GET' || method === 'DELETE' ? method : undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > gatewayMessage.size) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays, for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > gatewayMessage.size) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(response: ServerResponse, answer: ProgramAnswer): Promise<void> {
  const { status, headers, body } = answer;
  if (!(body instanceof ReadableStream)) return end(response, answer);
  response.writeHead(status, headers);
  response.flushHeaders();
  // Whatever stands between keeps a stream open that says something now and then.
  const alive = headers['content-type']?.startsWith('text/event-stream')
    ? setInterval(() => void response.write(':\n\n'), gatewayHttp.comment)
    : undefined;
  try {
    await pipeline(Readable.fromWeb(body), response);
  } finally {
    clearInterval(alive);
  }
}

function end(response: ServerResponse, { status, headers, body }: ProgramAnswer): void {
  response.writeHead(status, headers).end(body instanceof ReadableStream ? undefined : body);
}

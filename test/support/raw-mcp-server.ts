import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ServerProtocol } from '../../shared/integration.ts';
import { serveHttp } from './loopback-server.ts';

export interface RawMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown; readonly name?: string };
}

export interface RawRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** The message of a POST. */
  readonly message: RawMessage;
  /** Its raw text. */
  readonly text: string;
  readonly response: ServerResponse;
}

export interface RawServer {
  readonly url: string;
  /** Every received request, oldest first. */
  readonly received: readonly RawRequest[];
  /** Methods of received messages. */
  methods(): (string | undefined)[];
}

/** Answers a request that the server does not handle itself; `true` if it did. */
type Responder = (request: RawRequest) => boolean;

export const inputSchema = { type: 'object' };
export const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Answers a request with raw JSON. */
export function sendJson({ message, response }: Pick<RawRequest, 'message' | 'response'>, reply: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }));
}

/** How servers send responses in ways that the protocol does not define. */
export const answerForms: readonly (readonly [what: string, type: string, body: (response: string) => string])[] = [
  ['a stream that ends without an empty line', 'text/event-stream', (response) => `data: ${response}`],
  [
    'a stream whose last line alone has ended',
    'text/event-stream',
    (response) => `event: message\ndata: ${response}\n`,
  ],
  ['a type that is named twice', 'application/json, application/json', (response) => response],
  ['text', 'text/plain; charset=utf-8', (response) => response],
  ['bytes', 'application/octet-stream', (response) => response],
  ['a stream without its type', 'text/plain', (response) => `: hello\n\ndata: ${response}\n\n`],
  [
    'a stream under the type of bytes',
    'application/octet-stream',
    (response) => `event: message\ndata: ${response}\n\n`,
  ],
  ['JSON behind a byte order mark', 'application/json', (response) => `\ufeff${response}`],
  ['a stream behind a byte order mark', 'text/event-stream', (response) => `\ufeffdata: ${response}\n\n`],
  ['an event of another name', 'text/event-stream', (response) => `event: response\ndata: ${response}\n\n`],
  ['the type of a page', 'text/html', (response) => response],
  ['JSON whose id is null', 'application/json', (response) => response.replace(/"id":(?:\d+|"[^"]*")/u, '"id":null')],
  ['JSON without an id', 'application/json', (response) => response.replace(/"id":(?:\d+|"[^"]*"),/u, '')],
  ['a stream under the type of JSON', 'application/json', (response) => `event: message\ndata: ${response}\n\n`],
  [
    'a stream behind a comment under the type of JSON',
    'application/json',
    (response) => `: hi\n\ndata: ${response}\n\n`,
  ],
  [
    'a stream behind empty lines under the type of JSON',
    'application/json',
    (response) => `\n\r\ndata: ${response}\n\n`,
  ],
  ['JSON under the type of a stream', 'text/event-stream', (response) => response],
  ['JSON in lines under the type of a stream', 'text/event-stream; charset=utf-8', (response) => inLines(response)],
  ['JSON behind a byte order mark under the type of a stream', 'text/event-stream', (response) => `\ufeff${response}`],
  ['JSON without a type', '', (response) => response],
  ['a stream without a type', '', (response) => `data: ${response}\n\n`],
  ['a list', 'application/json', (response) => `[${response}]`],
  ['one of a list', 'application/json', (response) => ` [${note},null,${response}]`],
  ['a list in an event', 'text/event-stream', (response) => `data: [${response}]\n\n`],
  ['one of a list in an event', 'text/event-stream', (response) => `data: [null,${note},${response}]\n\n`],
  [
    'the second of two messages in one event',
    'text/event-stream',
    (response) => `data: ${note}\ndata: ${response}\n\n`,
  ],
  ['the first of two messages in one event', 'text/event-stream', (response) => `data: ${response}\ndata: ${note}\n\n`],
  ['two messages on one line of an event', 'text/event-stream', (response) => `data: ${note}${response}\n\n`],
  [
    'two messages in an event of another name',
    'text/event-stream',
    (response) => `event: x\ndata: ${note}\ndata: ${response}\n\n`,
  ],
  [
    'two messages in an event that the stream ends in',
    'text/event-stream',
    (response) => `data: ${note}\ndata: ${response}`,
  ],
  ['an event with a mark of its end', 'text/event-stream', (response) => `data: ${response}\ndata: [DONE]\n\n`],
  [
    'an event in lines with a mark of its end',
    'text/event-stream',
    (response) => `${inData(response)}data: [DONE]\n\n`,
  ],
  ['a stream that ends with a mark alone', 'text/event-stream', (response) => `data: ${response}\ndata: [DONE]\n`],
  ['an event behind a mark', 'text/event-stream', (response) => `data: [START]\ndata: ${response}\n\n`],
  ['JSON with its encoding', 'Application/JSON; charset="UTF-8"', (response) => response],
  ['a stream with its encoding', 'text/event-stream;charset=UTF-8', (response) => `data: ${response}\n\n`],
];

const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });

/** Split over several lines of one event. */
const inData = (response: string): string =>
  JSON.stringify(JSON.parse(response), undefined, 2)
    .replaceAll(/^(.*)$/gmu, 'data: $1')
    .concat('\n');

/** Containing an empty line. */
const inLines = (response: string): string => JSON.stringify(JSON.parse(response), undefined, 2).replace('\n', '\n\n');

/** Sends such a response; `hasLength`: with a Content-Length. */
export function sendInForm(
  { message, response }: Pick<RawRequest, 'message' | 'response'>,
  [, type, body]: (typeof answerForms)[number],
  { result, hasLength = false }: { readonly result: object; readonly hasLength?: boolean },
): void {
  const text = body(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  response.writeHead(200, {
    ...(type !== '' && { 'content-type': type }),
    ...(hasLength && { 'content-length': Buffer.byteLength(text) }),
  });
  response.end(text);
}

/** How the next page of a list can fail. */
export const pageFailures: readonly (readonly [how: string, fail: (request: RawRequest) => void])[] = [
  ['an error', (request) => sendJson(request, { error: { code: -32_603, message: 'page lost' } })],
  ['an unknown cursor', (request) => sendJson(request, { error: { code: -32_602, message: 'Invalid cursor' } })],
  ['500', ({ response }) => void response.writeHead(500).end('oops')],
  ['503 with an error', (request) => sendStatus(request, 503)],
  ['400 with an error', (request) => sendStatus(request, 400)],
  ['a page', ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sorry</p>')],
  ['half a message', (request) => sendHalf(request, 'application/json')],
  ['half an event', (request) => sendHalf(request, 'text/event-stream')],
  ['202', ({ response }) => void response.writeHead(202).end()],
  ['a closed connection', ({ response }) => void response.destroy()],
];

function sendStatus({ message, response }: RawRequest, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: 'page lost' } }));
}

function sendHalf({ message, response }: RawRequest, type: string): void {
  response.writeHead(200, { 'content-type': type });
  response.end(
    `${type === 'text/event-stream' ? 'data: ' : ''}{"jsonrpc":"2.0","id":${message.id},"result":{"tools":[`,
  );
}

/** The requested page of a list. */
export const cursorOf = ({ message }: RawRequest): string | undefined =>
  (message.params as { readonly cursor?: string } | undefined)?.cursor;

/** Responses to an unknown session. `id`: that of the request, as JSON. */
export const sessionEnds: readonly (readonly [what: string, status: number, body: (id: string) => string])[] = [
  ['404', 404, () => ''],
  ['410', 410, () => ''],
  [
    '400 of the example in the protocol',
    400,
    () => '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
  ],
  [
    '400 of the library for TypeScript',
    400,
    () => '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
  ],
  ['400 of the library for Python', 400, () => 'Bad Request: No valid session ID provided'],
  [
    '400 with the id of the request',
    400,
    (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"Session not found or has expired."}}`,
  ],
  ['400 with a code', 400, () => '{"error":"invalid_session","detail":"SESSION_EXPIRED"}'],
  ['400 with the id of the session', 400, () => 'Session 0b5c5d9a-3f8e-4f0e-9d55-1d2c3b4a5f60 does not exist'],
  ['400 without a word', 400, () => ''],
  ['422', 422, () => '{"message":"Invalid or missing session ID"}'],
  [
    '200 with an error that has no id',
    200,
    () => '{"jsonrpc":"2.0","id":"","error":{"code":-32600,"message":"Session not found or has expired."}}',
  ],
  ['400 with the id and advice', 400, (id) => rpcError(id, 'Please send an initialize request first')],
  ['422 of the library for Rust', 422, () => 'Unexpected message, expect initialize request'],
  ['401 of the library for Rust', 401, () => 'Unauthorized: Session not found'],
  ['401 with an error', 401, () => rpcError('null', 'Session expired')],
  ['403 with an error', 403, () => rpcError('null', 'Session expired')],
  ['500 with an error', 500, (id) => rpcError(id, 'Session 0b5c5d9a-3f8e-4f0e-9d55-1d2c3b4a5f60 not found')],
  ['200 with an error that has the id of the request', 200, (id) => rpcError(id, 'Session not found')],
  ['200 of a server without a handshake', 200, (id) => rpcError(id, 'Server not initialized')],
  [
    '200 of a server without a whole handshake',
    200,
    (id) => rpcError(id, 'Received request before initialization was complete'),
  ],
  ['401 with an error as text', 401, () => '{"error":"Session not found"}'],
  ['500 with an error as text', 500, () => '{"error":"Session not found"}'],
  ['500 in words', 500, () => 'session not found'],
  ['401 of n8n', 401, () => 'No transport found for sessionId'],
  ['422 in words', 422, () => 'Session not found'],
  ['200 with data', 200, (id) => rpcError(id, 'Invalid Request', 'Session not found')],
  ['200 in British English', 200, (id) => rpcError(id, 'Server not initialized')],
  ['200 with a stream', 200, (id) => `event: message\ndata: ${rpcError(id, 'Unknown session id')}\n\n`],
];

const rpcError = (id: string, message: string, data?: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: -32_001, message, data })}}`;
/** The media type of such a response: Express sends text as HTML. */
export const mediaTypeOf = (said: string): string =>
  said.startsWith('{') ? 'application/json' : said.startsWith('event:') ? 'text/event-stream' : 'text/html';

export const textResult = (text: string) => ({ result: { ...common, content: [{ type: 'text', text }] } });
export const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/**
 * A scripted server without sign-in for one protocol revision: handshake, `tools`, and `answer` first. `more`:
 * additional capabilities.
 */
export async function startRawServer(
  protocol: ServerProtocol,
  tools: readonly object[],
  respond: Responder = () => false,
  more: object = {},
): Promise<RawServer> {
  const received: RawRequest[] = [];
  const serverInfo = { name: 'scripted', version: '1' };
  const capabilities = { tools: {}, logging: {}, ...more };
  const results: Readonly<Record<string, object>> = {
    ...(protocol === 'session'
      ? { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo } }
      : { 'server/discover': { ...common, supportedVersions: ['2026-07-28'], capabilities } }),
    'tools/list': { ...common, tools },
    'logging/setLevel': {},
  };
  const server = await serveHttp((request, response) => {
    read(request, (message, text) => {
      const path = new URL(request.url ?? '', 'http://127.0.0.1').pathname;
      if (!/^\/mcp\/?$/u.test(path)) return void response.writeHead(404).end();
      const arrived = { method: request.method ?? '', path, headers: request.headers, message, text, response };
      received.push(arrived);
      if (respond(arrived)) return;
      if (arrived.method !== 'POST') return void response.writeHead(405).end();
      if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
      const result = results[message.method];
      sendJson(arrived, result ? { result } : { error: { code: -32_601, message: 'no' } });
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: `${server.origin}/mcp`, received, methods: () => received.map(({ message }) => message.method) };
}

function read(request: IncomingMessage, then: (message: RawMessage, text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    then(text === '' ? {} : (JSON.parse(text) as RawMessage), text);
  });
}

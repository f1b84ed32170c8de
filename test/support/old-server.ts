import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { serveHttp } from './loopback-server.ts';
import { inputSchema } from './raw-mcp-server.ts';
import type { RawMessage } from './raw-mcp-server.ts';

export interface OldMessage {
  readonly message: RawMessage;
  /** The raw text of the message. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  /** Status of the POST; 202 if nothing else answered it. */
  readonly response: ServerResponse;
  /** The session's stream. */
  readonly stream: ServerResponse;
}

export interface OldServer {
  readonly url: string;
  readonly origin: string;
  /** Every received message, oldest first. */
  readonly received: readonly OldMessage[];
  /** Every request, `METHOD path`. */
  readonly log: readonly string[];
  /** Open streams, oldest first. */
  streams(): readonly ServerResponse[];
  methods(): (string | undefined)[];
}

export interface OldServerOptions {
  /** Answers a message that the server does not handle itself; `true` if it did. */
  readonly answer?: (arrived: OldMessage) => boolean;
  /** The first event of each stream, by its number. Default: the endpoint of its session. */
  readonly begin?: (stream: ServerResponse, endpoint: string, request: IncomingMessage) => void;
  /** Sees every request first; `true` if it answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** An event of the old transport, as servers write it. */
export const oldEvent = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
export const endpointEvent = (address: string): string => `event: endpoint\ndata: ${address}\n\n`;

const results: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  'tools/list': { tools: [{ name: 'look', inputSchema }] },
  ping: {},
};

/** A scripted HTTP+SSE server (MCP 2024-11-05) at `/sse`, without sign-in. */
export async function startOldServer({ answer, begin, intercept }: OldServerOptions = {}): Promise<OldServer> {
  const received: OldMessage[] = [];
  const log: string[] = [];
  const streams: ServerResponse[] = [];
  const server = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://old');
    log.push(`${request.method} ${pathname}`);
    if (intercept?.(request, response)) return;
    if (request.method === 'GET' && pathname === '/sse') {
      const endpoint = `/messages?session=${streams.push(response) - 1}`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (begin) begin(response, endpoint, request);
      else response.write(endpointEvent(endpoint));
      return;
    }
    const stream = pathname === '/messages' ? streams[Number(searchParams.get('session'))] : undefined;
    if (!stream || stream.destroyed || request.method !== 'POST') return void response.writeHead(404).end();
    read(request, (text) => {
      const message = JSON.parse(text) as RawMessage;
      const arrived = { message, text, headers: request.headers, response, stream };
      received.push(arrived);
      const isDone = answer?.(arrived) === true;
      const result = results[message.method ?? ''];
      if (!isDone && result && message.id !== undefined) stream.write(oldEvent({ id: message.id, result }));
      if (!response.writableEnded) response.writeHead(202).end('Accepted');
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.origin}/sse`,
    origin: server.origin,
    received: received,
    log,
    streams: () => streams.filter((stream) => !stream.destroyed),
    methods: () => received.map(({ message }) => message.method),
  };
}

function read(request: IncomingMessage, then: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString('utf8')));
}

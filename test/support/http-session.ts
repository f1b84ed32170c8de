import { request as httpRequest } from 'node:http';
import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../main/host/system-ports.ts';
import { gatewaySession } from '../../main/limits.ts';
import type { Clock } from '../../main/ports.ts';
import { messagesOf, openHttpEndpoint, someSecret } from './http-endpoint.ts';
import { serveGateway } from './served-gateway.ts';
import { createTestEngine } from './test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from './raw-mcp-server.ts';
import type { RawRequest } from './raw-mcp-server.ts';

const { secretHash, authorization } = someSecret();
const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
export const handshakeResult = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {} },
  serverInfo: { name: 'scripted', version: '1' },
};

interface HttpSessionFixture {
  lists: Record<string, object>;
  /** Answers a message first; `true` if it did. */
  before: (request: RawRequest) => boolean;
  /** Open listening streams. */
  readonly streams: ServerResponse[];
  /** Whether handshakes start a session. */
  hasSessions: boolean;
}

/**
 * A served server with sessions, two kinds of lists and a stream, which an app has used once over HTTP. `retriesAtOnce`:
 * an unreachable server is retried at once.
 */
export async function startHttpSession({ retriesAtOnce = false } = {}) {
  const fixture: HttpSessionFixture = {
    lists: { 'tools/list': { tools: [{ name: 'add', inputSchema }] }, 'prompts/list': { prompts: [{ name: 'ask' }] } },
    before: () => false,
    streams: [],
    hasSessions: true,
  };
  const server = await startRawServer('session', [], (request) => {
    const { method, message, response } = request;
    if (fixture.before(request)) return true;
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      fixture.streams.push(response);
      return true;
    }
    if (method === 'DELETE') return false;
    if (message.method === 'initialize') {
      if (fixture.hasSessions) response.setHeader('mcp-session-id', `session-${server.received.length}`);
      sendJson(request, { result: handshakeResult });
      return true;
    }
    const list = fixture.lists[message.method ?? ''];
    if (list) sendJson(request, { result: list });
    else if (message.method === 'tools/call') sendJson(request, textResult('5'));
    return list !== undefined || message.method === 'tools/call';
  });
  const after: Clock['after'] = (wait, run) =>
    systemClock.after(retriesAtOnce && wait === gatewaySession.retryInterval ? 50 : wait, run);
  const engine = createTestEngine({ clock: { ...systemClock, after } });
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  await served.allow(integration, { secretHash });
  const { port, send: post } = await openHttpEndpoint(served);
  const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
  /** `beside`: other messages on the response streams, by method. */
  const startSession = async () => {
    const first = await post(fields, { path, body: JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize }) });
    const sessionId = first.headers['mcp-session-id'];
    const session = { ...fields, ...(sessionId !== undefined && { 'mcp-session-id': String(sessionId) }) };
    let id = 0;
    const notifications: (string | undefined)[] = [];
    const send = async (message: object): Promise<unknown> => {
      const { text } = await post(session, { path, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
      const messages = messagesOf(text);
      notifications.push(...messages.slice(0, -1).map(({ method }) => method));
      return messages.at(-1);
    };
    const request = (method: string, params?: object) => send({ id: (id += 1), method, params });
    await send({ method: 'notifications/initialized' });
    const listen = (signal?: AbortSignal) => listenAt({ port, path, signal }, session);
    const end = () => post(session, { path, method: 'DELETE' });
    return { first: JSON.parse(first.text) as unknown, request, listen, end, notifications };
  };
  const before = await startSession();
  await before.listen();
  for (const list of Object.keys(fixture.lists)) await before.request(list);
  return { fixture, server, served, startSession };
}

/** Methods received on a stream until the signal closes it. */
async function listenAt(
  { port, path, signal }: { readonly port: number; readonly path: string; readonly signal: AbortSignal | undefined },
  session: Record<string, string>,
) {
  const received: (string | undefined)[] = [];
  await new Promise<void>((resolve, reject) => {
    const headers = { ...session, accept: 'text/event-stream' };
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'GET', headers, signal }, (response) => {
      let text = '';
      if (response.statusCode === 200) resolve();
      else reject(new Error(`The stream is answered with ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (part: string) => {
        const events = (text + part).split('\n\n');
        text = events.pop() ?? '';
        for (const each of events) {
          if (each.startsWith('data: ')) received.push((JSON.parse(each.slice(6)) as { method?: string }).method);
        }
      });
      response.on('error', () => {});
    });
    request.once('error', reject);
    onTestFinished(() => void request.destroy());
    request.end();
  });
  return received;
}

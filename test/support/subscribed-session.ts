import { systemClock } from '../../main/host/system-ports.ts';
import { gatewaySession } from '../../main/limits.ts';
import { serveGateway } from './served-gateway.ts';
import { createTestEngine } from './test-engine.ts';
import { event, inputSchema, sendJson, startRawServer, textResult } from './raw-mcp-server.ts';
import type { RawRequest } from './raw-mcp-server.ts';

export const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
export const acknowledged = 'notifications/subscriptions/acknowledged';
export const changed = (list: string) => `notifications/${list}/list_changed`;
/** The metadata of each stateless request. */
export const statelessMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A served stateless server and its apps' subscriptions. It is retried sooner than usual. */
export async function startSubscribedSession() {
  const fixture = {
    /** Answers a message first; `true` if it did. */
    before: (_request: RawRequest): boolean => false,
    /** Acknowledged subscriptions, oldest first. */
    subscriptions: [] as RawRequest[],
  };
  const notify = ({ message, response }: RawRequest, method: string, params: object = {}) =>
    response.write(event({ method, params: { ...params, _meta: { [subscriptionId]: message.id } } }));
  const server = await startRawServer('stateless', [{ name: 'add', inputSchema }], (request) => {
    if (fixture.before(request)) return true;
    const { message, response } = request;
    if (message.method === 'tools/call') sendJson(request, textResult('5'));
    else if (message.method === 'subscriptions/listen') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      notify(request, acknowledged, { notifications: { toolsListChanged: true } });
      fixture.subscriptions.push(request);
    } else return false;
    return true;
  });
  const after = (wait: number, run: () => void): (() => void) =>
    systemClock.after(wait === gatewaySession.retryInterval ? 50 : wait, run);
  const engine = createTestEngine({ clock: { ...systemClock, after } });
  const { integration } = await engine.connect(server.url, { local: true });
  return { fixture, server, notify, engine, integration, served: await serveGateway(engine) };
}

export const hangUp = ({ response }: RawRequest): true => {
  response.destroy();
  return true;
};

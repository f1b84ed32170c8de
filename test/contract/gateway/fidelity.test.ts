import { expect, it } from 'vitest';
import { openApp, shakeHands } from '../../support/line-app.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { startRawServer } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

type Responder = (request: RawRequest) => boolean;

/** An app with a server whose responses the test writes. */
async function startPostern(respond: Responder, bodies: string[] = []) {
  const server = await startRawServer('session', [], (request) => {
    bodies.push(request.text);
    return respond(request);
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server: integration.id });
  await shakeHands(app);
  return { app, server };
}

const odd = [
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"n":12345678901234567890,"x":1.0}}}',
  '{ "params" : {"name":"add","_meta":{"a/b":[null,{}]},"more":1e400}, "id" : 8, "method":"tools/call", "jsonrpc":"2.0", "unknown":true }',
  String.raw`{"jsonrpc":"2.0","id":"\u0069d \"x\"","method":"vendor/thing","params":{"id":3,"method":"x","text":"\ud83d\ude00 é \u0000"}}`,
  '{"jsonrpc":"2.0","id":98765432109876543210,"method":"vendor/large-id"}',
  String.raw`{"jsonrpc":"2.0","\u0069d":9,"method":"vendor/escaped-key"}`,
];

it('sends each message of an app as the original text', async () => {
  const bodies: string[] = [];
  const { app } = await startPostern(({ text, response }) => {
    if (!odd.includes(text)) return false;
    const id = /"(?:id|\\u0069d)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/u.exec(text)?.[1];
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    return true;
  }, bodies);
  for (const line of odd) app.write(line);
  await app.line((_message, text) => text.includes('98765432109876543210'));
  await app.response(9);
  expect(bodies.filter((body) => odd.includes(body)).toSorted()).toEqual(odd.toSorted());
});

const answers = [
  '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890,"content":[{"type":"hologram","of":1.50}],"_meta":{"v/x":{}},"isError":false}}',
  String.raw`{"result":{"text":"\u00e9 \ud83d\ude00 \u2028"},"extra":[1,2,{"id":5}],"id":1,"jsonrpc":"2.0"}`,
  '{"jsonrpc":"2.0","id":1,"error":{"code":-31999,"message":"no","data":{"deep":[[[12345678901234567890]]]}}}',
];

it.for([['JSON', 'application/json'] as const, ['an event stream', 'text/event-stream'] as const])(
  'passes on each server response as the original text, in %s',
  async ([, type]) => {
    for (const text of answers) {
      const body = type === 'text/event-stream' ? `data: ${text}\n\n` : text;
      const { app } = await startPostern(({ message, response }) => {
        if (message.method !== 'vendor/ask') return false;
        response.writeHead(200, { 'content-type': type }).end(body);
        return true;
      });
      app.write('{"jsonrpc":"2.0","id":1,"method":"vendor/ask"}');
      expect(await app.response(1)).toBe(text);
    }
  },
);

it('joins a response of several lines into one, with its numbers unchanged', async () => {
  const { app } = await startPostern(({ message, response }) => {
    if (message.method !== 'vendor/ask') return false;
    const body = '{"jsonrpc":"2.0",\r\n "id":1,\n "result":{"n":1.50,\n"m":12345678901234567890}}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  });
  app.write('{"jsonrpc":"2.0","id":1,"method":"vendor/ask"}');
  expect(await app.response(1)).toMatch(
    /^\{"jsonrpc":"2\.0",\s+"id":1,\s+"result":\{"n":1\.50,\s+"m":12345678901234567890\}\}$/u,
  );
});

it('passes server requests and their responses through while a call is in flight', async () => {
  let responseText = '';
  const { app } = await startPostern(({ message, response, text }) => {
    if (message.method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"?"}}\n\n');
      finish = () => response.end('data: {"jsonrpc":"2.0","id":5,"result":{"content":[]}}\n\n');
      return true;
    }
    if (!text.includes('ask-1')) return false;
    responseText = text;
    response.writeHead(202).end();
    finish();
    return true;
  });
  let finish = (): void => {};
  app.write('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add"}}');
  await app.line(({ id, method }) => id === 'ask-1' && method === 'elicitation/create');
  const reply = '{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"n":1.0}}}';
  app.write(reply);
  await app.response(5);
  expect(responseText).toBe(reply);
});

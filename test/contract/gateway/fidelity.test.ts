import { expect, it } from 'vitest';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { startWireServer } from '../../support/wire-server.ts';
import type { WireRequest } from '../../support/wire-server.ts';

type Answer = (request: WireRequest) => boolean;

/** A program at a server that answers as the test writes it. */
async function startProgram(answer: Answer, bodies: string[] = []) {
  const server = await startWireServer('legacy', [], (request) => {
    bodies.push(request.text);
    return answer(request);
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  await shakeHands(program);
  return { program, server };
}

const odd = [
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"n":12345678901234567890,"x":1.0}}}',
  '{ "params" : {"name":"add","_meta":{"a/b":[null,{}]},"more":1e400}, "id" : 8, "method":"tools/call", "jsonrpc":"2.0", "unknown":true }',
  String.raw`{"jsonrpc":"2.0","id":"\u0069d \"x\"","method":"vendor/thing","params":{"id":3,"method":"x","text":"\ud83d\ude00 é \u0000"}}`,
  '{"jsonrpc":"2.0","id":98765432109876543210,"method":"vendor/large-id"}',
  String.raw`{"jsonrpc":"2.0","\u0069d":9,"method":"vendor/escaped-key"}`,
];

it('sends each message of a program as the text that came', async () => {
  const bodies: string[] = [];
  const { program } = await startProgram(({ text, response }) => {
    if (!odd.includes(text)) return false;
    const id = /"(?:id|\\u0069d)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/u.exec(text)?.[1];
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    return true;
  }, bodies);
  for (const line of odd) program.write(line);
  await program.line((_message, text) => text.includes('98765432109876543210'));
  await program.answer(9);
  expect(bodies.filter((body) => odd.includes(body)).toSorted()).toEqual(odd.toSorted());
});

const answers = [
  '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890,"content":[{"type":"hologram","of":1.50}],"_meta":{"v/x":{}},"isError":false}}',
  String.raw`{"result":{"text":"\u00e9 \ud83d\ude00 \u2028"},"extra":[1,2,{"id":5}],"id":1,"jsonrpc":"2.0"}`,
  '{"jsonrpc":"2.0","id":1,"error":{"code":-31999,"message":"no","data":{"deep":[[[12345678901234567890]]]}}}',
];

it.for([['JSON', 'application/json'] as const, ['an event stream', 'text/event-stream'] as const])(
  'passes each answer of a server on as the text that came, in %s',
  async ([, type]) => {
    for (const text of answers) {
      const body = type === 'text/event-stream' ? `data: ${text}\n\n` : text;
      const { program } = await startProgram(({ message, response }) => {
        if (message.method !== 'vendor/ask') return false;
        response.writeHead(200, { 'content-type': type }).end(body);
        return true;
      });
      program.write('{"jsonrpc":"2.0","id":1,"method":"vendor/ask"}');
      expect(await program.answer(1)).toBe(text);
    }
  },
);

it('puts an answer of several lines on one, with its numbers as they stood', async () => {
  const { program } = await startProgram(({ message, response }) => {
    if (message.method !== 'vendor/ask') return false;
    const body = '{"jsonrpc":"2.0",\r\n "id":1,\n "result":{"n":1.50,\n"m":12345678901234567890}}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  });
  program.write('{"jsonrpc":"2.0","id":1,"method":"vendor/ask"}');
  expect(await program.answer(1)).toMatch(
    /^\{"jsonrpc":"2\.0",\s+"id":1,\s+"result":\{"n":1\.50,\s+"m":12345678901234567890\}\}$/u,
  );
});

it('passes questions of a server and the answers to them on, while a call is under way', async () => {
  let answered = '';
  const { program } = await startProgram(({ message, response, text }) => {
    if (message.method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"?"}}\n\n');
      finish = () => response.end('data: {"jsonrpc":"2.0","id":5,"result":{"content":[]}}\n\n');
      return true;
    }
    if (!text.includes('ask-1')) return false;
    answered = text;
    response.writeHead(202).end();
    finish();
    return true;
  });
  let finish = (): void => {};
  program.write('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add"}}');
  await program.line(({ id, method }) => id === 'ask-1' && method === 'elicitation/create');
  const answer = '{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"n":1.0}}}';
  program.write(answer);
  await program.answer(5);
  expect(answered).toBe(answer);
});

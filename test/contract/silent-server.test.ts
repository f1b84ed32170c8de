import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useServer } from '../../main/engine/use/use-server.ts';
import { readDetail } from '../../main/errors/postern-error.ts';
import type { PosternError } from '../../main/errors/postern-error.ts';
import { serverRequests } from '../../main/limits.ts';
import type { Integration } from '../../shared/integration.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/** A tool call without a response, or with a wrong one. */

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: { cursor?: string } };
type AnswerCall = (response: ServerResponse, id: number | string) => void;

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

const confirm = (response: ServerResponse): void => void response.writeHead(202).end();

/** A connected server without sign-in. `received`: all received messages; `take` handles each response from Postern. */
async function connect(answerCall: AnswerCall, onResponse = confirm) {
  const received: Message[] = [];
  const respond = (message: Message, response: ServerResponse): void => {
    if (message.method === 'tools/call' && message.id !== undefined) return answerCall(response, message.id);
    if (message.id === undefined) return confirm(response);
    if (message.method === undefined) return onResponse(response);
    const serverInfo = { name: 'silent', version: '1' };
    const result =
      message.method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
        : message.method === 'tools/list' && { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
    const content = result ? { result } : { error: { code: -32_601, message: 'no' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...content }));
  };
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/mcp') return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message;
      received.push(message);
      respond(message, response);
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const engine = createTestEngine();
  const { integration } = await engine.connect(`${server.origin}/mcp`);
  return { received, engine, integration };
}

/** The outcome of a call that waits so many milliseconds instead of the library's minute. */
async function callFor(
  milliseconds: number,
  { engine, integration }: { engine: TestEngine; integration: Integration },
  signal = new AbortController().signal,
): Promise<PosternError> {
  const call = useServer(engine.ports, integration, { signal }, async ({ client }) =>
    client.callTool({ name: 'wait', arguments: {} }, { signal, timeout: milliseconds }),
  );
  return await call.then(
    () => Promise.reject(new Error('it was answered')),
    (error: PosternError) => error,
  );
}

const repeat = (response: ServerResponse, text: string): void => {
  const timer = setInterval(() => response.write(text), 5);
  response.on('close', () => clearInterval(timer));
};

describe('a silent tool', () => {
  it.each<[string, AnswerCall]>([
    ['nothing at all', () => {}],
    ['comments', (response) => repeat(stream(response), ': still here\n\n')],
    [
      'progress',
      (response, id) =>
        repeat(
          stream(response),
          event({ method: 'notifications/progress', params: { progressToken: id, progress: 1 } }),
        ),
    ],
    [
      'the answer to another request, on a stream that stays open',
      (response) => stream(response).write(event({ id: 'other', result: { content: [] } })),
    ],
  ])('is reported as a timeout when all that it sends is %s', async (_, answerCall) => {
    const error = await callFor(300, await connect(answerCall));
    expect(error).toMatchObject({ code: 'DEADLINE', stage: 'connection' });
    expect(readDetail(error)['host']).toMatch(/^127\.0\.0\.1:/u);
  });

  it.each<[string, object]>([
    ['an answer', { result: { content: [] } }],
    ['an error', { error: { code: -32_603, message: 'x' } }],
  ])('fails at once when it sends %s in response to another request', async (_, content) => {
    const { engine, integration } = await connect((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 'other', ...content }));
    });
    await expect(engine.call(integration, 'wait')).rejects.toMatchObject({ code: 'MCP_FAILED' });
  });

  it('is reported as canceled when it is', async () => {
    const cancel = new AbortController();
    const connected = await connect((response) => {
      stream(response).write(':\n\n');
      cancel.abort();
    });
    expect(await callFor(60_000, connected, cancel.signal)).toMatchObject({ code: 'USER_CANCELLED' });
  });

  it.each<[string, AnswerCall]>([
    ['after nothing', (response) => stream(response).end()],
    [
      'after an event that a client could resume from',
      (response) => stream(response).end('id: 1\nretry: 10\ndata: \n\n'),
    ],
    ['after a request of its own', (response) => stream(response).end(event({ id: 'q', method: 'ping' }))],
  ])('fails at once when its stream ends without the response, %s', async (_, answerCall) => {
    const { engine, integration } = await connect(answerCall);
    await expect(engine.call(integration, 'wait')).rejects.toMatchObject({ code: 'MCP_FAILED' });
  });

  it('fails at once, with the reason, when its stream breaks', async () => {
    const { engine, integration } = await connect((response) => {
      stream(response).write(':\n\n', () => response.destroy());
    });
    await expect(engine.call(integration, 'wait')).rejects.toMatchObject({ code: 'CONNECT_FAIL' });
  });

  it('fails at once, with the reason, when one event never ends', async () => {
    const { engine, integration } = await connect((response) => {
      const line = 'data: x\n'.repeat(8_000);
      const write = (): void => {
        while (!response.destroyed && response.write(line));
      };
      stream(response).on('drain', write);
      write();
    });
    await expect(engine.call(integration, 'wait')).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });
});

describe('a server that sends requests', () => {
  it('gets a few responses at once, however many requests it sends', async () => {
    const questions = Array.from({ length: 5_000 }, (_, index) => event({ id: `q${index}`, method: 'ping' }));
    const unconfirmed: ServerResponse[] = [];
    let finish = (): void => {};
    const { engine, integration } = await connect(
      (response, id) => {
        stream(response).write(questions.join(''));
        finish = () => response.end(event({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
      },
      (response) => void (unconfirmed.push(response) === serverRequests.concurrent && finish()),
    );
    // It has read every request by the time that it has the result, which follows them.
    await useServer(engine.ports, integration, { signal: new AbortController().signal }, async ({ client }) => {
      const result = await client.callTool({ name: 'wait', arguments: {} });
      expect(result).toMatchObject({ content: [{ text: 'done' }] });
      // Its next request follows the responses that it has sent.
      await client.listTools();
      expect(unconfirmed).toHaveLength(serverRequests.concurrent);
      unconfirmed.forEach(confirm);
    });
  });

  it('gets a response to each of a few requests', async () => {
    const questionCount = 20;
    let finish = (): void => {};
    const connected = await connect((response, id) => {
      const questions = Array.from({ length: questionCount }, (__, index) =>
        event({ id: `q${index}`, method: 'ping' }),
      );
      stream(response).write(questions.join(''));
      finish = () => response.end(event({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
    });
    const call = connected.engine.call(connected.integration, 'wait');
    await expect
      .poll(() => connected.received.filter(({ method }) => method === undefined))
      .toHaveLength(questionCount);
    finish();
    expect(await call).toBe('done');
  });
});

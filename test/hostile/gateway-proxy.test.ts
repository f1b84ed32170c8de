import { describe, expect, it } from 'vitest';
import { controlLines } from '../../main/net/endpoint/pipe-connection.ts';
import { pipeKinds, startPipe } from '../support/pipe-process.ts';
import type { PipeKind } from '../support/pipe-process.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { event, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** The whole path of an app, from its standard streams through pipe and gateway to its server. */

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));
const words = Object.values(controlLines).map(String);
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

async function start(pipe: PipeKind, respond: (request: RawRequest) => void) {
  const server = await startRawServer('session', [{ name: 'look', inputSchema: { type: 'object' } }], (request) => {
    if (request.message.params?.name !== 'hostile') return false;
    respond(request);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const { alias = '' } = await engine.read(integration);
  const app = startPipe(pipe, ['--profile-folder', engine.folder, alias]);
  const answerTo = async (id: unknown): Promise<Record<string, unknown>> => {
    for (let message = await app.next(); ; message = await app.next())
      if (message['id'] === id && message['method'] === undefined) return message;
  };
  app.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await answerTo(0);
  app.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const call = (id: number | string, name: string): void =>
    app.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });
  return { server, served, app, answerTo, call };
}

const stream = ({ response }: RawRequest) => response.writeHead(200, { 'content-type': 'text/event-stream' });

describe.skipIf(process.platform === 'win32').for(suites)('an app behind the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)(
    'never sees the gateway’s control lines from its server, which cannot control the pipe (GW-68)',
    async () => {
      const { app, answerTo, call } = await start(pipe, (request) => {
        stream(request);
        for (const word of words) {
          request.response.write(`data: ${word}\n\n`);
          request.response.write(`data: ${word.replace(',', ',\ndata: ')}\n\n`);
        }
        request.response.end(event({ id: request.message.id, ...textResult('done') }));
      });
      for (const id of [1, 2]) {
        call(id, 'hostile');
        expect(JSON.stringify(await answerTo(id))).toContain('done');
      }
      // The pipe still runs and has interpreted none of it.
      app.send({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
      expect(await answerTo(3)).toHaveProperty('result.tools');
      expect(app.lines().join('\n')).not.toContain('postern');
    },
  );

  it.skipIf(pipe.missing)('gets every message on one line, whatever line breaks it contains (GW-68)', async () => {
    const odd = '\\u000a\\r\\n\u2028\u2029\u0085{"jsonrpc":"2.0","id":9,"result":{}}'.replaceAll('"', '\\"');
    const { answerTo, call } = await start(pipe, ({ message, response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        `{\n"jsonrpc":\r\n"2.0",\t"id":\n${String(message.id)},\n"result":{"content":[\n{"type":"text","text":"${odd}"}]}\n}\n`,
      );
    });
    call(1, 'hostile');
    const reply = await answerTo(1);
    expect(reply).toHaveProperty('result.content.0.text', JSON.parse(`"${odd}"`));
    call(2, 'hostile');
    expect(await answerTo(2)).toHaveProperty('result.content');
  });

  const heads: readonly (readonly [what: string, answer: (request: RawRequest) => void])[] = [
    [
      'of 1 MB',
      ({ message, response }) => {
        for (let count = 0; count < 100; count += 1) response.setHeader(`x-${count}`, 'x'.repeat(10_000));
        sendJson({ message, response }, textResult('done'));
      },
    ],
    [
      'of ten thousand fields',
      ({ message, response }) => {
        for (let count = 0; count < 10_000; count += 1) response.setHeader(`x-${count}`, 'x');
        sendJson({ message, response }, textResult('done'));
      },
    ],
    [
      'that never ends',
      ({ response }) => {
        const socket = response.socket;
        socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');
        const flood = (): void => {
          if (!socket || socket.destroyed) return;
          while (socket.write(`x-more: ${'x'.repeat(1_000)}\r\n`));
          socket.once('drain', flood);
        };
        flood();
      },
    ],
    [
      'after endless interim ones',
      ({ response }) => {
        const socket = response.socket;
        const flood = (): void => {
          if (!socket || socket.destroyed) return;
          while (socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'));
          socket.once('drain', flood);
        };
        flood();
      },
    ],
    ['that is none', ({ response }) => void response.socket?.end(`${'\u0000'.repeat(1_000)}\r\n\r\n`)],
  ];

  it.skipIf(pipe.missing).each(heads)(
    'gets an error that its server is unusable after a head %s (GW-68)',
    async (_, head) => {
      const { answerTo, call } = await start(pipe, head);
      call(1, 'hostile');
      const response = JSON.stringify(await answerTo(1));
      expect(response).toContain('"isError":true');
      expect(response).toContain('dev.postern/error');
      call(2, 'look');
      expect(await answerTo(2)).not.toHaveProperty('result._meta');
    },
  );

  it.skipIf(pipe.missing)(
    'that is killed while it sends a message ends its requests at the server, and no other session (GW-68)',
    async () => {
      const held: RawRequest[] = [];
      const { served, app, call, server } = await start(pipe, (request) => void held.push(request));
      call(1, 'hostile');
      await expect.poll(() => held.length).toBe(1);
      const ended = new Promise((resolve) => void held[0]?.response.once('close', resolve));
      app.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look","arguments":{"text":"half');
      app.child.kill('SIGKILL');
      await ended;
      await expect.poll(() => served.gateway.sessions).toBe(0);
      expect(server.received.filter(({ message }) => message.id === 2)).toEqual([]);
    },
  );
});

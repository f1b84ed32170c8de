import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { gatewaySession } from '../../main/limits.ts';
import { ByteLines } from '../support/byte-lines.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import type { ServedGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { startRawServer } from '../support/raw-mcp-server.ts';

/** The port for pipes on Windows: every user of the computer can connect to it. */

async function start() {
  const server = await startRawServer('session', []);
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  return { served, alias: integration.id };
}

interface UnknownClient {
  readonly socket: Socket;
  /** What it received until it was disconnected. */
  readonly response: Promise<string>;
}

function connectTo({ loopback }: ServedGateway): UnknownClient {
  const socket = createConnection(loopback.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => {}).on('data', (part: Buffer) => (text += part.toString()));
  return { socket, response: new Promise((resolve) => void socket.once('close', () => resolve(text))) };
}

/** So that no connection is closed for being slow. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const knock = (secret: string): string => `{"postern":1,"knock":"${secret}"}\n`;
const hello = '{"postern":1,"open":{"server":"notes"}}\n';
const request = 'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/plain\r\n\r\n';

it.for([
  ['a byte of something else', () => 'P'],
  ['a request of a web page', () => request],
  ['a request of a web page that holds the secret', ({ loopback }: ServedGateway) => request + knock(loopback.knock)],
  ['the start of TLS', () => '\u0016\u0003\u0001'],
  ['an empty line', () => '\n'],
  ['a hello alone', () => hello],
  ['a wrong secret', () => knock('0'.repeat(64))],
  ['what the pipe would be shown', ({ loopback }: ServedGateway) => knock(loopback.answer)],
  ['a hello before it knows who listens', ({ loopback }: ServedGateway) => knock(loopback.knock) + hello],
] as const)('the port for pipes disconnects at once, and silently, on %s (GW-23)', async ([, say]) => {
  const { served, alias } = await start();
  const other = openApp(served.socket, { server: alias });
  await shakeHands(other);
  stopTime();
  const { socket, response } = connectTo(served);
  socket.write(say(served));
  expect(await response).toBe('');
  vi.useRealTimers();
  expect(served.events.map(({ state }) => state)).toEqual(['open']);
  expect(await other.request(1, 'tools/list')).toHaveProperty('result.tools');
});

it('the port for pipes disconnects clients that send nothing, or only half of it (GW-23)', async () => {
  const { served } = await start();
  const silent = connectTo(served);
  const slow = connectTo(served);
  slow.socket.write(knock(served.loopback.knock).slice(0, 30));
  expect(await Promise.all([silent.response, slow.response])).toEqual(['', '']);
});

it('the port for pipes stays open to this user’s pipes, however many others connect or guess (GW-23)', async () => {
  const { served, alias } = await start();
  stopTime();
  const silent = Array.from({ length: gatewaySession.pendingHellos }, () => connectTo(served));
  await Promise.all(silent.map(({ socket }) => new Promise((resolve) => void socket.once('connect', resolve))));
  for (let guess = 0; guess < 50; guess += 1) {
    const { socket, response } = connectTo(served);
    socket.write(knock(String(guess).padStart(64, '0')));
    expect(await response).toBe('');
  }
  // Each one that ends makes room for the next.
  await Promise.race(silent.map(({ response }) => response));
  const { socket } = connectTo(served);
  const lines = new ByteLines();
  socket.on('data', (part: Buffer) => lines.push(part));
  socket.write(knock(served.loopback.knock));
  expect(await lines.next()).toBe(`{"postern":1,"answer":"${served.loopback.answer}"}`);
  socket.write(`${JSON.stringify({ postern: 1, open: { server: alias } })}\n`);
  socket.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(JSON.parse(await lines.next())).toMatchObject({ id: 1 });
});

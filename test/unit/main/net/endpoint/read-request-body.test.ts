import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { MessageBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { gatewayMessage, gatewaySession } from '../../../../../main/limits.ts';
import { readRequestBody } from '../../../../../main/net/endpoint/http-endpoint.ts';
import type { BodyResult } from '../../../../../main/net/endpoint/http-endpoint.ts';

interface Sent {
  readonly socket: Socket;
  readonly request: IncomingMessage;
  readonly reading: Promise<BodyResult | 'gone'>;
}

/** One app budget, and bodies that arrive over HTTP. */
async function openBudget() {
  const app = new MessageBudget().of('app');
  const pendingRequests: ((request: IncomingMessage) => void)[] = [];
  const server = createServer((request) => pendingRequests.shift()?.(request));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return async (length: number, bytes: number): Promise<Sent> => {
    const request = new Promise<IncomingMessage>((resolve) => void pendingRequests.push(resolve));
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
    const message = await request;
    const reading = readRequestBody(
      message,
      app.openReading(() => socket.destroy()),
    );
    return { socket, request: message, reading: reading.catch(() => 'gone' as const) };
  };
}

/** Waits until all bytes sent so far were received and read. */
async function taken({ request }: Sent, bytes: number): Promise<void> {
  await expect.poll(() => request.socket.bytesRead > bytes && request.readableLength === 0).toBe(true);
}

const shared = gatewaySession.buffer - gatewayMessage.size;

it('lets one body complete even if stalled bodies have used up the budget (GW-27)', async () => {
  const send = await openBudget();
  const first = await send(shared, shared - 1);
  await taken(first, shared - 1);
  const second = await send(gatewayMessage.size, 1_000);
  await taken(second, 1_000);
  const third = await send(10, 10);
  await taken(third, 10);
  second.socket.write(Buffer.alloc(gatewayMessage.size - 1_000));
  expect(await second.reading).toMatchObject({ kind: 'whole' });
  expect(await third.reading).toMatchObject({ kind: 'whole' });
  first.socket.write('1');
  expect(await first.reading).toMatchObject({ kind: 'whole' });
});

it('frees the place of an app that disconnected while it waited (GW-27)', async () => {
  const send = await openBudget();
  const first = await send(shared, shared - 100);
  await taken(first, shared - 100);
  const second = await send(gatewayMessage.size, 1_000);
  await taken(second, 1_000);
  const third = await send(1_000, 1_000);
  const fourth = await send(50, 50);
  third.socket.destroy();
  expect(await third.reading).toBe('gone');
  expect(await fourth.reading).toMatchObject({ kind: 'whole' });
});

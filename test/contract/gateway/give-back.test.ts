import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openGateway } from '../../../main/host/gateway/open-gateway.ts';
import { gatewaySession } from '../../../main/limits.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';
import type { WireRequest } from '../../support/wire-server.ts';

/** A service that makes room while more is asked than its server takes at once. */

const text = (id: number): string => `{ "jsonrpc":"2.0", "id":${id}, "method":"tools/call","params":{"name":"add"}}`;
const cancellation = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });

async function start() {
  const held: WireRequest[] = [];
  const server = await startWireServer('legacy', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    held.push(request);
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  await shakeHands(program);
  await program.ask(0, 'tools/list');
  return { server, served, program, held };
}

/** One program that uses `server` through a gateway which can be closed. */
async function openService(server: { readonly url: string }) {
  const { folder, ports, ...engine } = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const { programs, collections } = openIntegrationStore({ folder, locks: ports.locks });
  const serving = await openGateway({
    ports,
    programs,
    collections,
    folder,
    allowUnknown: true,
    command: 'postern',
    watch: { user: {} },
    kind: 'serve',
  });
  const program = openProgram(path.join(folder, 'run', 'gateway.sock'), { server: integration.id });
  await shakeHands(program);
  return { serving, program };
}

it('gives back what has not left for the server, as it came, and answers the rest', async () => {
  const { server, served, program, held } = await start();
  const { atOnce } = gatewaySession;
  const [first, last] = [1, atOnce + 6];
  const ids = Array.from({ length: last }, (_, index) => first + index);
  for (const id of ids) program.write(text(id));
  await expect.poll(() => held.length).toBe(atOnce);
  served.stopAccepting();
  await expect.poll(() => program.givenBack).toEqual(ids.slice(atOnce).map(text));
  // What was written before the program heard of it, and what ends a request that is not here any more.
  for (const line of [text(last + 1), cancellation(last), cancellation(first)]) program.write(line);
  await expect.poll(() => program.givenBack.slice(last - atOnce)).toEqual([text(last + 1), cancellation(last)]);
  await expect.poll(() => server.methods()).toContain('notifications/cancelled');
  expect(served.isIdle()).toBe(false);
  for (const request of held) sendJson(request, textResult('done'));
  for (const id of ids.slice(0, atOnce)) expect(await program.answer(id)).toContain('done');
  await expect.poll(() => served.isIdle()).toBe(true);
  expect(held).toHaveLength(atOnce);
  expect(served.calls.filter(({ method }) => method === 'tools/call')).toHaveLength(atOnce);
});

it('gives back what waits for a handshake that has not been answered', async () => {
  const asked = Promise.withResolvers<WireRequest>();
  const server = await startWireServer('legacy', [], (request) => {
    if (request.message.method === 'initialize' && isHeld) asked.resolve(request);
    return request.message.method === 'initialize' && isHeld;
  });
  let isHeld = false;
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine, { allowUnknown: true });
  const program = openProgram(served.socket, { server: integration.id });
  isHeld = true;
  const hands = shakeHands(program);
  const request = await asked.promise;
  program.write(text(1));
  served.stopAccepting();
  await expect.poll(() => program.givenBack).toEqual([text(1)]);
  const serverInfo = { name: 'late', version: '1' };
  sendJson(request, { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
  expect(await hands).toHaveProperty('result');
  await expect.poll(() => served.isIdle()).toBe(true);
  expect(server.methods()).not.toContain('tools/call');
});

it('ends no call while one answer comes after the other, however long they take together', async () => {
  const held: WireRequest[] = [];
  const server = await startWireServer('legacy', [{ name: 'add', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    held.push(request);
    return true;
  });
  const { serving, program } = await openService(server);
  await program.ask(0, 'tools/list');
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  for (const id of ids) program.write(text(id));
  await expect.poll(() => held.length).toBe(ids.length);
  const closing = serving.close(1_000, 60_000);
  for (const request of held) {
    // A slow server: together longer than is waited for one.
    await pause(150);
    sendJson(request, textResult('done'));
  }
  await closing;
  await program.closed;
  expect(program.lines.filter((line) => line.includes('done'))).toHaveLength(ids.length);
});

it('ends all the same where answers go on for too long', async () => {
  const server = await startWireServer(
    'legacy',
    [{ name: 'add', inputSchema }],
    ({ message }) => message.method === 'tools/call',
  );
  const { serving, program } = await openService(server);
  program.write(text(1));
  await expect.poll(() => server.methods()).toContain('tools/call');
  await serving.close(1_000_000, 100);
  await program.closed;
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { askedCalls } from '../../../main/limits.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { shownInput } from '../../../shared/approval-view.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { createTestDesktop } from '../../support/test-desktop.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';

/** The window asks about single calls of tools. */

async function start() {
  const wire = await startWireServer('legacy', [{ name: 'write', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult('done'));
    return true;
  });
  const desktop = await createTestDesktop({ serves: true });
  const { engine, composed } = desktop;
  const { integration } = await engine.connect(wire.url, { local: true });
  const { programs } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const id = '0123456789abcdef';
  await programs.change(() => [
    { id, program: 'cursor', name: 'Cursor\u202e', createdAt: 1, integrations: [integration.id] },
  ]);
  composed.startWork();
  await desktop.call('permission:set', { id: integration.id, preset: 'ask-changes' });
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  await expect.poll(() => existsSync(socket)).toBe(true);
  const program = openProgram(socket, { server: integration.id, program: id });
  await shakeHands(program);
  return {
    wire,
    desktop,
    integration,
    program,
    held: (count = 1) =>
      desktop.seen(({ heldCalls = [] }) => (heldCalls.length === count ? { first: heldCalls[0] } : undefined)),
    called: () => wire.methods().filter((method) => method === 'tools/call').length,
  };
}

const call = (id: number, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'write', ...params } });

it('PM-08 shows all of what is called, with nothing hidden in it, and lets it through by an answer alone', async () => {
  const { desktop, integration, program, held, called } = await start();
  program.write(call(1, { arguments: { text: 'a\u202eb\u200bc\u001b[2Jd\u2028e', long: 'x'.repeat(2 * shownInput) } }));
  const { first } = await held();
  expect(first).toMatchObject({ program: 'Cursor', tool: 'write', integrationId: integration.id, isCut: true });
  expect(first?.input).toContain(String.raw`a\u{202e}b\u{200b}c\u001b[2Jd\u{2028}e`);
  expect(first?.input).toHaveLength(shownInput);
  expect(called()).toBe(0);
  await desktop.call('permission:answer', { id: first?.id ?? '', answer: 'once' });
  expect(await program.answer(1)).toContain('done');
  await held(0);
  // It was for that call.
  program.write(call(2));
  const second = await held();
  await desktop.call('permission:answer', { id: second.first?.id ?? '', answer: 'no' });
  expect(await program.answer(2)).toContain('APPROVAL_REFUSED');
  expect(called()).toBe(1);
});

it('answers all calls of a tool that wait by one answer for the session, and asks about no more than so many', async () => {
  const { desktop, program, held, called } = await start();
  for (let id = 1; id <= askedCalls.count + 1; id += 1) program.write(call(id));
  expect(await program.answer(askedCalls.count + 1)).toContain('APPROVAL_TIMEOUT');
  const { first } = await held(askedCalls.count);
  expect(desktop.notices).toHaveLength(1);
  await desktop.call('permission:answer', { id: first?.id ?? '', answer: 'session' });
  for (let id = 1; id <= askedCalls.count; id += 1) expect(await program.answer(id)).toContain('done');
  await held(0);
  expect(called()).toBe(askedCalls.count);
});

it('asks nobody any more when the program has gone', async () => {
  const { program, held, called } = await start();
  program.write(call(1));
  await held();
  program.end();
  await held(0);
  expect(called()).toBe(0);
});

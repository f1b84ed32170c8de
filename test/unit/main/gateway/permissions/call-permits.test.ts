import { expect, it } from 'vitest';
import type { AskForCall, CallAnswer } from '../../../../../main/gateway-ports.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { CallPermits } from '../../../../../main/gateway/permissions/call-permits.ts';
import { askedCalls } from '../../../../../main/limits.ts';
import { HeldCalls } from '../../../../../main/window/asking/held-calls.ts';
import type { Integration } from '../../../../../shared/integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const program = { id: '0123456789abcdef', program: 'cursor', name: 'Cursor', integrations: [], createdAt: 1 };

function start(ask: (clock: ReturnType<typeof createFakeClock>) => AskForCall) {
  const clock = createFakeClock();
  const integration: Integration = { ...anIntegration(), permissions: { preset: 'ask-changes' } };
  const unseen = { inList: () => false, called: () => false };
  const server = {
    integration,
    permissions: integration.permissions,
    readsOnly: async () => false,
    unseen: async () => unseen,
    setPermissions: async () => {},
  };
  const permits = new CallPermits({ server, program, clock, ask: ask(clock) });
  const told: string[] = [];
  const request = readEnvelope(
    Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","_meta":{"progressToken":"t"}}}',
    ),
  );
  if (request.kind !== 'request') throw new Error('no request');
  const signal = new AbortController().signal;
  const admitted = permits.admit(request, { signal, tell: (text) => void told.push(text) }).then(
    () => 'admitted',
    (error: unknown) => (error as { code?: string }).code,
  );
  return { clock, admitted, told };
}

it('refuses a call that nobody answers within 45 s, and tells the program meanwhile that it waits', async () => {
  const { clock, admitted, told } = start((time) => {
    const held = new HeldCalls({ clock: time, notify: () => {}, onChange: () => {} });
    return held.ask;
  });
  await Promise.resolve();
  for (let waited = 0; waited < askedCalls.deadline; waited += askedCalls.progress / 2) {
    await new Promise(setImmediate);
    clock.advance(askedCalls.progress / 2);
  }
  expect(await admitted).toBe('APPROVAL_TIMEOUT');
  expect(told).toHaveLength(4);
  const progress = told.map((text) => (JSON.parse(text) as { params: { progress: number } }).params.progress);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(new Set(progress).size).toBe(progress.length);
});

it.each<[CallAnswer, string]>([
  ['once', 'admitted'],
  ['session', 'admitted'],
  ['always', 'admitted'],
  ['no', 'APPROVAL_REFUSED'],
])('takes the answer %s', async (answer, outcome) => {
  expect(await start(() => async () => answer).admitted).toBe(outcome);
});

import { expect, it, vi } from 'vitest';
import type { AskForCall, CallDecision } from '../../../../../main/gateway-ports.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { Capabilities } from '../../../../../main/gateway/capabilities/capabilities.ts';
import { callConfirmations, gatewaySession } from '../../../../../main/limits.ts';
import { HeldCalls } from '../../../../../main/window/consent/held-calls.ts';
import type { Integration } from '../../../../../shared/integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const app = { id: '0123456789abcdef', app: 'cursor', name: 'Cursor', integrations: [], createdAt: 1 };

function start(ask: (clock: ReturnType<typeof createFakeClock>) => AskForCall, known: object = {}) {
  const clock = createFakeClock();
  const integration: Integration = { ...anIntegration(), permissions: { preset: 'ask-changes' } };
  const unreviewed = { hasEntry: () => false, hasName: () => false };
  const server = {
    integration,
    permissions: integration.permissions,
    isReadOnly: async () => false,
    isListed: async () => true,
    listOnce: async () => {},
    unreviewed: async () => unreviewed,
    setPermissions: async () => {},
    ...known,
  };
  const capabilities = new Capabilities({ server, app, clock, askUser: ask(clock) });
  const sent: string[] = [];
  const request = readEnvelope(
    Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","_meta":{"progressToken":"t"}}}',
    ),
  );
  if (request.kind !== 'request') throw new Error('no request');
  const signal = new AbortController().signal;
  const listTools = async (): Promise<void> => {};
  const admitted = capabilities.admit(request, { signal, notify: (text) => void sent.push(text), listTools }).then(
    () => 'admitted',
    (error: unknown) => (error as { code?: string }).code,
  );
  return { clock, admitted, sent };
}

it('refuses a call that is not approved within 45 s, and sends the app progress meanwhile', async () => {
  const { clock, admitted, sent } = start((time) => {
    const held = new HeldCalls({ clock: time, notify: () => {}, onChange: () => {} });
    return held.ask;
  });
  await Promise.resolve();
  for (let waited = 0; waited < callConfirmations.deadline; waited += callConfirmations.progressInterval / 2) {
    await new Promise(setImmediate);
    clock.advance(callConfirmations.progressInterval / 2);
  }
  expect(await admitted).toBe('APPROVAL_TIMEOUT');
  expect(sent).toHaveLength(4);
  const progress = sent.map((text) => (JSON.parse(text) as { params: { progress: number } }).params.progress);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(new Set(progress).size).toBe(progress.length);
});

it.each<[CallDecision, string]>([
  ['once', 'admitted'],
  ['session', 'admitted'],
  ['always', 'admitted'],
  ['no', 'APPROVAL_REFUSED'],
])('applies the decision %s', async (decision, outcome) => {
  expect(await start(() => async () => decision).admitted).toBe(outcome);
});

it('asks about a tool whose server does not list its tools in time', async () => {
  const ask = vi.fn<AskForCall>(async () => 'once');
  const listOnce = () => new Promise<never>(() => {});
  const { clock, admitted } = start(() => ask, { isListed: async () => false, listOnce });
  await new Promise(setImmediate);
  clock.advance(gatewaySession.toolsWait - 1);
  await new Promise(setImmediate);
  expect(ask).not.toHaveBeenCalled();
  clock.advance(1);
  expect(await admitted).toBe('admitted');
  expect(ask).toHaveBeenCalledOnce();
});

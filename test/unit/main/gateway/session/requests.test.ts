import { expect, it } from 'vitest';
import { AppBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { CallLog } from '../../../../../main/gateway/answers/call-log.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { Listening } from '../../../../../main/gateway/session/listening.ts';
import { MessageOrder, Requests } from '../../../../../main/gateway/session/requests.ts';
import { Behind } from '../../../../../main/gateway/session/session-ports.ts';
import type { SessionPorts } from '../../../../../main/gateway/session/session-ports.ts';
import { collectGarbage } from '../../../../support/collect-garbage.ts';

/** The requests of a program whose server is slow: each listing is answered from before, and the test ends it. */
function openRequests() {
  const sent: string[] = [];
  const atServer: { readonly request: RequestEnvelope; readonly end: () => void }[] = [];
  const ports = {
    clock: { after: (_wait: number, run: () => void) => (queueMicrotask(run), () => {}) },
    upstream: {
      isOlder: false,
      request: (request: RequestEnvelope) =>
        new Promise<void>((resolve) => void atServer.push({ request, end: resolve })),
    },
    catalogue: {
      answer: async () => Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'),
      keep: async () => {},
    },
    calls: new CallLog(
      { activity: { add: () => {} }, clock: { now: () => 0, monotonic: () => 0 } },
      { program: 'cursor', server: { integration: { id: 'one', name: 'Notes' } } },
    ),
    // Everything is allowed.
    permits: {
      admit: async () => {},
      shown: async (_request: unknown, answer: Buffer) => answer,
      sinceNow: () => () => false,
    },
    send: async (message: Buffer | string) => void sent.push(String(message)),
    headersOf: async () => ({}),
    isOlder: () => false,
    isNewer: () => true,
    onTools: () => {},
  };
  const session = ports as unknown as SessionPorts;
  const behind = new Behind();
  const requests = new Requests(
    session,
    new MessageOrder(new AppBudget()),
    behind,
    new Listening(session, behind, () => async () => {}),
  );
  const ask = async (id: number): Promise<WeakRef<Envelope>> => {
    const request = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`));
    if (request.kind !== 'request') throw new Error('no request');
    await requests.begin(request, {});
    return new WeakRef(request);
  };
  return { requests, behind, sent, atServer, ask };
}

/** What the server answers to a listing. */
function answerTo(id: number, tools: readonly object[]) {
  const answer = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })));
  if (answer.kind !== 'answer') throw new Error('no answer');
  return answer;
}

it('holds nothing of a request that was answered from before and ends without an answer of the server', async () => {
  const { behind, sent, atServer, ask } = openRequests();
  const asked = await ask(1);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([1, 1]);
  atServer.shift()?.end();
  await expect
    .poll(() => {
      collectGarbage();
      return asked.deref() === undefined;
    })
    .toBe(true);
  // What the program was told may be old.
  expect(behind.is).toBe(true);
});

it('tells what has changed behind a list from before, also after one that the server never answered', async () => {
  const { requests, sent, atServer, ask } = openRequests();
  await ask(1);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([1, 1]);
  atServer.shift()?.end();
  await ask(2);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([2, 1]);
  await requests.take(answerTo(2, [{ name: 'another', inputSchema: { type: 'object' } }]));
  expect(sent.slice(2).map((text) => (JSON.parse(text) as { method?: string }).method)).toEqual([
    'notifications/tools/list_changed',
  ]);
});

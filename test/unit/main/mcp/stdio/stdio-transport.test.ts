import { expect, it } from 'vitest';
import type { LocalProcessListener } from '../../../../../main/local-ports.ts';
import { stdioTransport } from '../../../../../main/mcp/stdio/stdio-transport.ts';

interface Sent {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: unknown }; readonly requestId?: unknown };
}

/** A process that responds when the test calls `emit`. */
function openTransport() {
  const sent: Sent[] = [];
  let listener: LocalProcessListener | undefined;
  const transport = stdioTransport({
    start: async (heard) => {
      listener = heard;
      return { send: async (line) => void sent.push(JSON.parse(line) as Sent), stop: async () => {} };
    },
    clock: { after: () => () => {} },
    timeoutError: () => expect.fail('it is in time'),
  });
  const request = (id: string | number, method: string, params: object = {}, signal?: AbortSignal) =>
    transport.fetch('local:' as never, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      ...(signal && { signal }),
    });
  const emit = (message: object): void =>
    void listener?.onLine(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  return { sent, request, emit };
}

const messagesIn = (text: string): readonly unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)) as unknown);

it('gives the second of two requests with the same ID its own ID (MCP 2026-07-28)', async () => {
  const { sent, request, emit } = openTransport();
  const progress = { _meta: { progressToken: 'p', other: 1.0 } };
  const [first, second] = [await request(1, 'tools/call', progress), await request(1, 'tools/call', progress)];
  const [ofFirst, ofSecond] = [sent[0]?.id, sent[1]?.id];
  const tokens = sent.map(({ params }) => params?._meta?.progressToken);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(ofSecond).not.toBe(ofFirst);
  expect(tokens[1]).not.toBe(tokens[0]);
  expect(sent[1]).toMatchObject({ method: 'tools/call', params: { _meta: { other: 1 } } });

  emit({ method: 'notifications/progress', params: { progressToken: tokens[1], progress: 2 } });
  emit({ method: 'notifications/progress', params: { progressToken: tokens[0], progress: 1 } });
  emit({ id: ofSecond, result: { of: 'second' } });
  emit({ id: ofFirst, result: { of: 'first' } });
  const answers = await Promise.all([first.text(), second.text()]);
  for (const [at, name] of ['first', 'second'].entries())
    expect(messagesIn(answers[at] ?? '')).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: at + 1 } },
      { jsonrpc: '2.0', id: 1, result: { of: name } },
    ]);
});

it('routes notifications to each of two listeners with the same ID (MCP 2026-07-28, subscriptions)', async () => {
  const { sent, request, emit } = openTransport();
  const [first, second] = [await request('l', 'subscriptions/listen'), await request('l', 'subscriptions/listen')];
  const about = (id: unknown, more: object = {}) => ({
    params: { ...more, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  });
  const [ofFirst, ofSecond] = sent.map(({ id }) => id);
  emit({ method: 'notifications/subscriptions/acknowledged', ...about(ofFirst) });
  emit({ method: 'notifications/subscriptions/acknowledged', ...about(ofSecond) });
  emit({ method: 'notifications/tools/list_changed', ...about(ofFirst) });
  for (const id of [ofFirst, ofSecond]) emit({ id, result: {} });
  const [one, other] = await Promise.all([first.text(), second.text()]);
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    ...about('l'),
  };
  expect(messagesIn(one)).toEqual([
    acknowledged,
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed', ...about('l') },
    { jsonrpc: '2.0', id: 'l', result: {} },
  ]);
  expect(messagesIn(other)).toEqual([acknowledged, { jsonrpc: '2.0', id: 'l', result: {} }]);
});

it('cancels only the aborted request', async () => {
  const { sent, request, emit } = openTransport();
  const givenUp = new AbortController();
  const first = await request(1, 'tools/call');
  const second = await request(1, 'tools/call', {}, givenUp.signal);
  givenUp.abort();
  await expect(second.text()).rejects.toThrow();
  expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[1]?.id } });
  emit({ id: 1, result: { of: 'first' } });
  expect(messagesIn(await first.text())).toEqual([{ jsonrpc: '2.0', id: 1, result: { of: 'first' } }]);
});

it('refuses a repeated ID within a session (MCP 2025-11-25, requests)', async () => {
  const { request } = openTransport();
  await request(0, 'initialize');
  await request(1, 'tools/call');
  expect((await request(1, 'tools/call')).status).toBe(400);
});

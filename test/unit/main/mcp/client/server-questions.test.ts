import { describe, expect, it, vi } from 'vitest';
import { mcpDepth, mcpMessage, serverRequests } from '../../../../../main/limits.ts';
import { BoundedTransport } from '../../../../../main/mcp/http/bounded-transport.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const { concurrent, queued } = serverRequests;
const streamOf = (text: string): Response =>
  new Response(`data: ${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } });

/** A transport whose requests stay in flight until they are confirmed. */
async function open() {
  const inFlight: (() => void)[] = [];
  const received: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    received.push((JSON.parse(typeof init?.body === 'string' ? init.body : '') as { id?: unknown }).id);
    await new Promise<void>((resolve) => void inFlight.push(resolve));
    return new Response(null, { status: 202 });
  };
  const transport = new BoundedTransport(asChecked('https://mcp.example/mcp'), { fetch });
  await transport.start();
  const answer = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { transport, inFlight, received, answer };
}

describe('BoundedTransport', () => {
  it('answers a few questions at once in order, queues some and drops the rest', async () => {
    const { inFlight, received, answer } = await open();
    const answers = Array.from({ length: concurrent + queued + 50 }, (_, index) => answer(index));
    for (let confirmed = 0; confirmed < concurrent + queued; confirmed += 1) {
      const expected = Math.min(concurrent + confirmed, concurrent + queued);
      await expect.poll(() => received, { interval: 1 }).toHaveLength(expected);
      inFlight.shift()?.();
    }
    await Promise.all(answers);
    expect(received).toEqual(Array.from({ length: concurrent + queued }, (_, index) => index));
  });

  it.each([
    ['too large', JSON.stringify('x'.repeat(mcpMessage.requestBytes))],
    ['too deep', '['.repeat(mcpDepth + 5) + ']'.repeat(mcpDepth + 5)],
  ])('answers a question that is %s with an error', async (_, text) => {
    const replies: { readonly id: string; readonly error?: { readonly code: number } }[] = [];
    const question = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":${text}}}`;
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      const sent = JSON.parse(typeof init?.body === 'string' ? init.body : '') as (typeof replies)[number];
      if (sent.id !== 'q1') return streamOf(question);
      replies.push(sent);
      return new Response(null, { status: 202 });
    };
    const transport = new BoundedTransport(asChecked('https://mcp.example/mcp'), { fetch });
    const read = vi.fn();
    Object.assign(transport, { onmessage: read });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' }).catch(() => {});
    await expect.poll(() => replies).toHaveLength(1);
    expect(replies[0]?.error?.code).toBe(-32_600);
    expect(read).not.toHaveBeenCalled();
  });

  it('answers again once requests have finished', async () => {
    const { inFlight, received, answer } = await open();
    const first = Array.from({ length: concurrent }, (_, index) => answer(index));
    await expect.poll(() => inFlight).toHaveLength(concurrent);
    for (const confirm of inFlight.splice(0)) confirm();
    await Promise.all(first);
    const later = answer(concurrent);
    await expect.poll(() => inFlight).toHaveLength(1);
    inFlight[0]?.();
    await later;
    expect(received).toHaveLength(concurrent + 1);
  });

  it('sends our own messages ahead of queued answers', async () => {
    const { transport, inFlight, received, answer } = await open();
    const answers = Array.from({ length: concurrent + 1 }, (_, index) => answer(index));
    const ours = transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => received).toHaveLength(concurrent + 1);
    expect(received.at(-1)).toBeUndefined();
    for (const confirm of inFlight.splice(0)) confirm();
    await ours;
    await expect.poll(() => inFlight).toHaveLength(1);
    inFlight[0]?.();
    await Promise.all(answers);
  });
});

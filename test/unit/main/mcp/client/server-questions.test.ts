import { describe, expect, it, vi } from 'vitest';
import { mcpDepth, mcpMessage, serverQuestions } from '../../../../../main/limits.ts';
import { BoundedTransport } from '../../../../../main/mcp/http/bounded-transport.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const { atOnce, waiting } = serverQuestions;
const streamOf = (text: string): Response =>
  new Response(`data: ${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } });

/** A transport whose requests stay under way until they are confirmed. */
async function open() {
  const underWay: (() => void)[] = [];
  const came: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    came.push((JSON.parse(typeof init?.body === 'string' ? init.body : '') as { id?: unknown }).id);
    await new Promise<void>((resolve) => void underWay.push(resolve));
    return new Response(null, { status: 202 });
  };
  const transport = new BoundedTransport(asChecked('https://mcp.example/mcp'), { fetch });
  await transport.start();
  const answer = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { transport, underWay, came, answer };
}

describe('BoundedTransport', () => {
  it('answers a few questions at once, in their order, keeps some waiting and drops the rest', async () => {
    const { underWay, came, answer } = await open();
    const answers = Array.from({ length: atOnce + waiting + 50 }, (_, index) => answer(index));
    for (let confirmed = 0; confirmed < atOnce + waiting; confirmed += 1) {
      const expected = Math.min(atOnce + confirmed, atOnce + waiting);
      await expect.poll(() => came, { interval: 1 }).toHaveLength(expected);
      underWay.shift()?.();
    }
    await Promise.all(answers);
    expect(came).toEqual(Array.from({ length: atOnce + waiting }, (_, index) => index));
  });

  it.each([
    ['too large', JSON.stringify('x'.repeat(mcpMessage.questionBytes))],
    ['too deep', '['.repeat(mcpDepth + 5) + ']'.repeat(mcpDepth + 5)],
  ])('answers a question that is %s with an error', async (_, text) => {
    const told: { readonly id: string; readonly error?: { readonly code: number } }[] = [];
    const question = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":${text}}}`;
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      const sent = JSON.parse(typeof init?.body === 'string' ? init.body : '') as (typeof told)[number];
      if (sent.id !== 'q1') return streamOf(question);
      told.push(sent);
      return new Response(null, { status: 202 });
    };
    const transport = new BoundedTransport(asChecked('https://mcp.example/mcp'), { fetch });
    const read = vi.fn();
    Object.assign(transport, { onmessage: read });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' }).catch(() => {});
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]?.error?.code).toBe(-32_600);
    expect(read).not.toHaveBeenCalled();
  });

  it('answers again once there is room', async () => {
    const { underWay, came, answer } = await open();
    const first = Array.from({ length: atOnce }, (_, index) => answer(index));
    await expect.poll(() => underWay).toHaveLength(atOnce);
    for (const confirm of underWay.splice(0)) confirm();
    await Promise.all(first);
    const later = answer(atOnce);
    await expect.poll(() => underWay).toHaveLength(1);
    underWay[0]?.();
    await later;
    expect(came).toHaveLength(atOnce + 1);
  });

  it('lets no answer stand in the way of what we send ourselves', async () => {
    const { transport, underWay, came, answer } = await open();
    const answers = Array.from({ length: atOnce + 1 }, (_, index) => answer(index));
    const ours = transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => came).toHaveLength(atOnce + 1);
    expect(came.at(-1)).toBeUndefined();
    for (const confirm of underWay.splice(0)) confirm();
    await ours;
    await expect.poll(() => underWay).toHaveLength(1);
    underWay[0]?.();
    await Promise.all(answers);
  });
});

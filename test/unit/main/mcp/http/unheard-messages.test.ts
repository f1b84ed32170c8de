import { expect, it } from 'vitest';
import { gatewaySession } from '../../../../../main/limits.ts';
import { UnheardMessages } from '../../../../../main/mcp/messages/message-outlet.ts';

const { count, size } = gatewaySession.unheard;

it.each([
  ['large', 50_000],
  ['small', 1],
])('keeps so many %s messages and no more, oldest first, until somebody takes them', (_, length) => {
  const unheard = new UnheardMessages();
  const sent = Array.from({ length: 10 * count }, (_each, index) => Buffer.alloc(length, index));
  for (const message of sent) unheard.keep(message);
  const taken = unheard.take();
  expect(taken).toHaveLength(Math.min(count, Math.floor(size / length)));
  expect(taken.every((message, index) => message === sent[index])).toBe(true);
  expect(unheard.take()).toEqual([]);
  unheard.keep(Buffer.from('again'));
  expect(unheard.take()).toEqual([Buffer.from('again')]);
});

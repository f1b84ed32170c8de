import { expect, it } from 'vitest';
import { gatewaySession } from '../../../../../main/limits.ts';
import { UndeliveredMessages } from '../../../../../main/mcp/messages/event-stream-writer.ts';

const { count, size } = gatewaySession.undelivered;

it.each([
  ['large', 50_000],
  ['small', 1],
])('queues a limited number of %s messages, oldest first, until they are drained', (_, length) => {
  const undelivered = new UndeliveredMessages();
  const sent = Array.from({ length: 10 * count }, (_each, index) => Buffer.alloc(length, index));
  for (const message of sent) undelivered.add(message);
  const drained = undelivered.drain();
  expect(drained).toHaveLength(Math.min(count, Math.floor(size / length)));
  expect(drained.every((message, index) => message === sent[index])).toBe(true);
  expect(undelivered.drain()).toEqual([]);
  undelivered.add(Buffer.from('again'));
  expect(undelivered.drain()).toEqual([Buffer.from('again')]);
});

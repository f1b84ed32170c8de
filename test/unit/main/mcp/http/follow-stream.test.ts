import { expect, it, onTestFinished, vi } from 'vitest';
import { resumption, toolCall } from '../../../../../main/limits.ts';
import { followStream } from '../../../../../main/mcp/http/follow-stream.ts';

const { signal } = new AbortController();
const empty = (): Response => new Response('id: 1\nretry: 0\ndata: \n\n');
const refusal = async (): Promise<Error> => new Error('refused');
const following = { onMessage: () => {}, isPending: () => true, refusal, signal };

it('resumes a limited number of times, however long the server continues', async () => {
  let resumed = 0;
  const resume = async (): Promise<Response> => {
    resumed += 1;
    if (resumed > resumption.attempts) throw new Error('asked for once too often');
    return empty();
  };
  await expect(followStream(empty(), { ...following, resume })).rejects.toThrow('ended without an answer');
  expect(resumed).toBe(resumption.attempts);
});

it('resumes while there are new events, and not for what it repeats', async () => {
  const longer = 5;
  let resumed = 0;
  const resume = async (): Promise<Response> => {
    resumed += 1;
    return new Response(`id: ${Math.min(resumed, longer)}\nretry: 0\ndata: {}\n\n`);
  };
  await expect(followStream(empty(), { ...following, resume })).rejects.toThrow('ended without an answer');
  expect(resumed).toBe(longer + resumption.attempts);
});

it('stops resuming after six hours, whatever arrives', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  let resumed = 0;
  const resume = async (): Promise<Response> => {
    resumed += 1;
    if (resumed > 3) throw new Error('asked for once too often');
    now += toolCall.longest / 2;
    return new Response(`id: new ${resumed}\nretry: 0\ndata: {}\n\n`);
  };
  await expect(followStream(empty(), { ...following, resume })).rejects.toThrow('ended without an answer');
  expect(resumed).toBe(3);
});

it('resumes after a short network failure, and gives up after several', async () => {
  let resumed = 0;
  const resume = async (): Promise<Response> => {
    resumed += 1;
    throw new Error('no way');
  };
  await expect(followStream(empty(), { ...following, resume })).rejects.toThrow('no way');
  expect(resumed).toBe(resumption.failures);
});

it.each(['id: 1\u20ac', 'id:', 'data: x'])(
  'does not resume after %j, which is not a valid event ID for a header',
  async (line) => {
    const resume = (): Promise<Response> => Promise.reject(new Error('asked for'));
    await expect(followStream(new Response(`${line}\n\n`), { ...following, resume })).rejects.toThrow('ended');
  },
);

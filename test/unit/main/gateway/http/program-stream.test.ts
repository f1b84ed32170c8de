import { describe, expect, it } from 'vitest';
import { ProgramStream } from '../../../../../main/gateway/http/exchanges.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

function reading(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value && Buffer.from(value).toString();
  };
  return { next, cancel: () => reader.cancel() };
}

describe('the stream that a program listens on', () => {
  it('is told once, and next time, what nobody heard', async () => {
    const stream = new ProgramStream();
    stream.tellChange('{"of":"ours"}');
    stream.tellChange('{"of":"ours"}');
    await stream.tell('{"of":"the server"}');
    const { next, cancel } = reading(stream.open());
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    expect(await next()).toBe('data: {"of":"the server"}\n\n');
    await cancel();
    await stream.tell('{"later":1}');
    expect(await reading(stream.open()).next()).toBe('data: {"later":1}\n\n');
  });

  it('keeps no more than so many messages that nobody hears, and every change', async () => {
    const stream = new ProgramStream();
    for (let count = 0; count < 3 * gatewaySession.unheard.count; count += 1) await stream.tell(`{"count":${count}}`);
    stream.tellChange('{"of":"ours"}');
    const { next } = reading(stream.open());
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    for (let count = 0; count < gatewaySession.unheard.count; count += 1) await next();
    void stream.tell('{"later":1}');
    expect(await next()).toBe('data: {"later":1}\n\n');
    const silent = new ProgramStream();
    const read = reading(silent.open());
    void silent.tell('{"unread":1}');
    silent.tellChange('{"of":"ours"}');
    await read.cancel();
    const again = reading(silent.open());
    expect(await again.next()).toBe('data: {"of":"ours"}\n\n');
  });

  it('has whoever sends wait for an app that does not read', async () => {
    const stream = new ProgramStream();
    const { next } = reading(stream.open());
    const taken: string[] = [];
    const tell = async (message: string): Promise<void> => {
      await stream.tell(message);
      taken.push(message);
    };
    void tell('1');
    void tell('2');
    expect(await next()).toBe('data: 1\n\n');
    await expect.poll(() => taken).toEqual(['1']);
    expect(await next()).toBe('data: 2\n\n');
    await expect.poll(() => taken).toEqual(['1', '2']);
  });

  it('goes on where another of the same program has ended, and one alone has each message (MCP 2025-11-25, streams)', async () => {
    const stream = new ProgramStream();
    const first = reading(stream.open());
    const second = reading(stream.open());
    await Promise.all([stream.tell('1'), second.next().then((text) => expect(text).toBe('data: 1\n\n'))]);
    await second.cancel();
    void stream.tell('2');
    expect(await first.next()).toBe('data: 2\n\n');
    stream.tellChange('changed');
    expect(await first.next()).toBe('data: changed\n\n');
  });

  it('ends with its session', async () => {
    const stream = new ProgramStream();
    const last = reading(stream.open()).next();
    stream.close();
    expect(await last).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { ProgramStream } from '../../../../../main/gateway/http/app-stream.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

/** A stream of the server that the test writes. */
function source() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (its) => void (controller = its),
    cancel: () => void (isCancelled = true),
  });
  return {
    body: Promise.resolve(body),
    write: (text: string) => controller?.enqueue(Buffer.from(text)),
    end: () => controller?.close(),
    get isCancelled() {
      return isCancelled;
    },
  };
}

function reading(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value && Buffer.from(value).toString();
  };
  return { next, cancel: () => reader.cancel() };
}

describe('the stream that a program listens on', () => {
  it.each([
    ['data: {"a"', ':1}\n\n'],
    ['data: {}\n', '\n'],
    ['data: {}\r\n', '\r\n'],
    ['id: 1\ndata: {}\r', '\r'],
  ])('is never given anything within an event (%j)', async (begun, rest) => {
    const stream = new ProgramStream();
    const server = source();
    const { next } = reading(stream.open(server.body));
    server.write(begun);
    expect(await next()).toBe(begun);
    stream.tellChange('{"of":"ours"}');
    server.write(rest);
    expect(await next()).toBe(rest);
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
  });

  it('is told once, and next time, what nobody heard', async () => {
    const stream = new ProgramStream();
    stream.tellChange('{"of":"ours"}');
    stream.tellChange('{"of":"ours"}');
    stream.tell('{"of":"the server"}');
    const { next, cancel } = reading(stream.open(Promise.resolve(undefined)));
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    expect(await next()).toBe('data: {"of":"the server"}\n\n');
    await cancel();
    stream.tell('{"later":1}');
    expect(await reading(stream.open(source().body)).next()).toBe('data: {"later":1}\n\n');
  });

  it('keeps no more than so many messages that nobody hears, and every change', async () => {
    const stream = new ProgramStream();
    for (let count = 0; count < 3 * gatewaySession.unheard.count; count += 1) stream.tell(`{"count":${count}}`);
    stream.tellChange('{"of":"ours"}');
    const { next } = reading(stream.open(Promise.resolve(undefined)));
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    for (let count = 0; count < gatewaySession.unheard.count; count += 1) await next();
    stream.tell('{"later":1}');
    expect(await next()).toBe('data: {"later":1}\n\n');
    const long = `{"x":"${'x'.repeat(gatewaySession.unheard.size / 2)}"}`;
    const silent = new ProgramStream();
    const read = reading(silent.open(Promise.resolve(undefined)));
    for (let count = 0; count < 10; count += 1) silent.tell(long);
    silent.tellChange('{"of":"ours"}');
    await read.cancel();
    const again = reading(silent.open(Promise.resolve(undefined)));
    expect(await again.next()).toBe('data: {"of":"ours"}\n\n');
  });

  it('goes on where another of the same program has ended, and one alone has each message (MCP 2025-11-25, streams)', async () => {
    const stream = new ProgramStream();
    const first = reading(stream.open(source().body));
    const ending = source();
    const second = reading(stream.open(ending.body));
    const heard: (string | undefined)[] = [];
    const hear = async (name: string, { next }: typeof first): Promise<void> => {
      for (let text = await next(); text !== undefined; text = await next()) heard.push(`${name} ${text.trim()}`);
      heard.push(`${name} has ended`);
    };
    void hear('first', first);
    void hear('second', second);
    stream.tell('1');
    await expect.poll(() => heard).toEqual(['second data: 1']);
    // Between two halves of an event nothing can be said there.
    ending.write('data: {"a"');
    await expect.poll(() => heard).toHaveLength(2);
    stream.tell('2');
    await expect.poll(() => heard.slice(2)).toEqual(['first data: 2']);
    ending.end();
    await expect.poll(() => heard.slice(3)).toEqual(['second has ended']);
    stream.tell('3');
    stream.tellChange('changed');
    await expect.poll(() => heard.slice(4)).toEqual(['first data: 3', 'first data: changed']);
  });

  it('forgets what nobody heard of a request that has ended, and nothing else', async () => {
    const stream = new ProgramStream();
    const [ended, underWay] = [{}, {}];
    stream.tell('{"of":"ended"}', ended);
    stream.tell('{"of":"under way"}', underWay);
    stream.tell('{"of":"none"}');
    stream.forget(ended);
    const { next } = reading(stream.open(Promise.resolve(undefined)));
    expect(await next()).toBe('data: {"of":"under way"}\n\n');
    expect(await next()).toBe('data: {"of":"none"}\n\n');
  });

  it('ends with that of the server, and with its session', async () => {
    const stream = new ProgramStream();
    const first = source();
    const { next } = reading(stream.open(first.body));
    first.end();
    expect(await next()).toBeUndefined();
    const second = source();
    const last = reading(stream.open(second.body)).next();
    stream.close();
    expect(await last).toBeUndefined();
    await expect.poll(() => second.isCancelled).toBe(true);
  });
});

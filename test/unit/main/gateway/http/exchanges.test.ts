import { describe, expect, it } from 'vitest';
import { Exchanges, ProgramStream } from '../../../../../main/gateway/http/exchanges.ts';
import { wholeAnswer } from '../../../../../main/gateway-ports.ts';
import { gatewaySession } from '../../../../../main/limits.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

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

/** An answer that the app waits for, in a session whose streams it can take up again unless told otherwise. */
function waitForAnswer({ canResume = true } = {}) {
  const clock = createFakeClock();
  const exchanges = new Exchanges(clock);
  const connection = new AbortController();
  let isGone = false;
  const begun = exchanges.wait('1', { signal: connection.signal, canResume, onGone: () => (isGone = true) });
  const streamOf = async () => reading((await begun).answer.body as ReadableStream<Uint8Array>);
  const resume = (lastEventId: string, signal = new AbortController().signal) => {
    const body = exchanges.resume(lastEventId, signal)?.body;
    return body instanceof ReadableStream ? reading(body) : undefined;
  };
  return { clock, exchanges, connection, begun, streamOf, resume, isGone: () => isGone };
}

const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('the stream of an answer (MCP 2025-11-25, resumability and redelivery)', () => {
  it('begins with an event that says from where and when to go on, and names each message', async () => {
    const { exchanges, streamOf } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next } = await streamOf();
    expect(await next()).toMatch(/^id: 1-0\nretry: \d+\ndata: \n\n$/u);
    expect(await next()).toBe(`id: 1-1\ndata: ${progress}\n\n`);
  });

  it('has no names where the app cannot take it up again', async () => {
    const { exchanges, streamOf } = waitForAnswer({ canResume: false });
    void exchanges.tell(progress, '1');
    expect(await (await streamOf()).next()).toBe(`data: ${progress}\n\n`);
  });

  it('goes on after the last event that an app has seen which lost the connection', async () => {
    const { exchanges, streamOf, resume, isGone, connection } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next, cancel } = await streamOf();
    await next();
    await cancel();
    connection.abort();
    void exchanges.tell(answer, '1');
    expect(isGone()).toBe(false);
    const again = resume('1-0');
    expect(await again?.next()).toBe(`id: 1-1\ndata: ${progress}\n\n`);
    expect(await again?.next()).toBe(`id: 1-2\ndata: ${answer}\n\n`);
    expect(await again?.next()).toBeUndefined();
  });

  it('can be had again where its end was lost with the connection', async () => {
    const { exchanges, streamOf, resume, connection, isGone } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next } = await streamOf();
    void exchanges.tell(answer, '1');
    while ((await next()) !== undefined);
    connection.abort();
    const other = new AbortController();
    const again = resume('1-1', other.signal);
    expect(await again?.next()).toBe(`id: 1-2\ndata: ${answer}\n\n`);
    expect(await again?.next()).toBeUndefined();
    expect(isGone()).toBe(false);
    other.abort(wholeAnswer);
    expect(isGone()).toBe(true);
  });

  it('is gone once all of it has arrived', async () => {
    const { exchanges, streamOf, resume, connection, isGone } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next } = await streamOf();
    void exchanges.tell(answer, '1');
    while ((await next()) !== undefined);
    connection.abort(wholeAnswer);
    expect(isGone()).toBe(true);
    expect(resume('1-1')).toBeUndefined();
  });

  it('ends without an answer where none comes any more', async () => {
    const { exchanges, streamOf } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next } = await streamOf();
    await next();
    await next();
    exchanges.end('1');
    expect(await next()).toBeUndefined();
  });

  it('does not repeat what the app has seen', async () => {
    const { exchanges, streamOf, resume } = waitForAnswer();
    void exchanges.tell(progress, '1');
    const { next, cancel } = await streamOf();
    await next();
    await next();
    await cancel();
    void exchanges.tell(answer, '1');
    expect(await resume('1-1')?.next()).toBe(`id: 1-2\ndata: ${answer}\n\n`);
  });

  it('is not given to an app that names another event', () => {
    const { exchanges, resume } = waitForAnswer();
    void exchanges.tell(progress, '1');
    expect(resume('2-0')).toBeUndefined();
    expect(resume('')).toBeUndefined();
    expect(resume('1-all')).toBeUndefined();
  });

  it('is given up when nobody has come back for it in time', async () => {
    const { clock, exchanges, streamOf, resume, isGone } = waitForAnswer();
    void exchanges.tell(progress, '1');
    await (await streamOf()).cancel();
    clock.advance(gatewaySession.cutOff.longest - 1);
    expect(isGone()).toBe(false);
    clock.advance(1);
    expect(isGone()).toBe(true);
    expect(resume('1-0')).toBeUndefined();
  });

  it('ends early where the server ends its own, and goes on as that does (SEP-1699)', async () => {
    const { exchanges, streamOf, resume } = waitForAnswer();
    exchanges.pause('1');
    const { next } = await streamOf();
    expect(await next()).toMatch(/^id: 1-0\n/u);
    expect(await next()).toBeUndefined();
    void exchanges.tell(answer, '1');
    expect(await resume('1-0')?.next()).toBe(`id: 1-1\ndata: ${answer}\n\n`);
  });

  it('begins before an app gives up that waits for the head of an answer', async () => {
    const { clock, begun } = waitForAnswer({ canResume: false });
    clock.advance(gatewaySession.silence);
    expect((await begun).answer.body).toBeInstanceOf(ReadableStream);
  });
});

it('passes what comes after an answer into what the app listens on', async () => {
  const { exchanges, begun } = waitForAnswer();
  void exchanges.tell(answer, '1', { status: 200, isStream: false });
  expect((await begun).answer.body).toBe(answer);
  void exchanges.tell(progress, '1');
  const { next } = reading(exchanges.listen().body as ReadableStream<Uint8Array>);
  expect(await next()).toBe(`data: ${progress}\n\n`);
});

it('says that a request is taken which gets no answer', async () => {
  const { exchanges, begun } = waitForAnswer();
  exchanges.end('1');
  expect((await begun).answer.status).toBe(202);
});

it('ends the request of an app that hangs up before its answer has begun', async () => {
  const { connection, begun, isGone } = waitForAnswer();
  connection.abort();
  expect(isGone()).toBe(true);
  expect((await begun).answer.status).toBe(404);
});

import { describe, expect, it } from 'vitest';
import { Exchanges, AppStream } from '../../../../../main/gateway/http/exchanges.ts';
import { responseSent } from '../../../../../main/gateway-ports.ts';
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

describe('the stream on which an app listens', () => {
  it('delivers undelivered messages to the next listener, a repeated change once', async () => {
    const stream = new AppStream();
    stream.sendChange('{"of":"ours"}');
    stream.sendChange('{"of":"ours"}');
    await stream.send('{"of":"the server"}');
    const { next, cancel } = reading(stream.open());
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    expect(await next()).toBe('data: {"of":"the server"}\n\n');
    await cancel();
    await stream.send('{"later":1}');
    expect(await reading(stream.open()).next()).toBe('data: {"later":1}\n\n');
  });

  it('retains a bounded number of undelivered messages, and every change', async () => {
    const stream = new AppStream();
    for (let count = 0; count < 3 * gatewaySession.undelivered.count; count += 1)
      await stream.send(`{"count":${count}}`);
    stream.sendChange('{"of":"ours"}');
    const { next } = reading(stream.open());
    expect(await next()).toBe('data: {"of":"ours"}\n\n');
    for (let count = 0; count < gatewaySession.undelivered.count; count += 1) await next();
    void stream.send('{"later":1}');
    expect(await next()).toBe('data: {"later":1}\n\n');
    const silent = new AppStream();
    const read = reading(silent.open());
    void silent.send('{"unread":1}');
    silent.sendChange('{"of":"ours"}');
    await read.cancel();
    const again = reading(silent.open());
    expect(await again.next()).toBe('data: {"of":"ours"}\n\n');
  });

  it('makes the sender wait for an app that does not read', async () => {
    const stream = new AppStream();
    const { next } = reading(stream.open());
    const taken: string[] = [];
    const send = async (message: string): Promise<void> => {
      await stream.send(message);
      taken.push(message);
    };
    void send('1');
    void send('2');
    expect(await next()).toBe('data: 1\n\n');
    await expect.poll(() => taken).toEqual(['1']);
    expect(await next()).toBe('data: 2\n\n');
    await expect.poll(() => taken).toEqual(['1', '2']);
  });

  it('continues after another stream of the app has ended, and sends each message on one stream only (MCP 2025-11-25, streams)', async () => {
    const stream = new AppStream();
    const first = reading(stream.open());
    const second = reading(stream.open());
    await Promise.all([stream.send('1'), second.next().then((text) => expect(text).toBe('data: 1\n\n'))]);
    await second.cancel();
    void stream.send('2');
    expect(await first.next()).toBe('data: 2\n\n');
    stream.sendChange('changed');
    expect(await first.next()).toBe('data: changed\n\n');
  });

  it('ends with its session', async () => {
    const stream = new AppStream();
    const last = reading(stream.open()).next();
    stream.close();
    expect(await last).toBeUndefined();
  });
});

/** A response that the app waits for; `canResume`: whether the session's streams are resumable. */
function waitForResponse({ canResume = true } = {}) {
  const clock = createFakeClock();
  const exchanges = new Exchanges(clock);
  const connection = new AbortController();
  let isGone = false;
  const begun = exchanges.wait('1', { signal: connection.signal, canResume, onAbandoned: () => (isGone = true) });
  const streamOf = async () => reading((await begun).response.body as ReadableStream<Uint8Array>);
  const resume = (lastEventId: string, signal = new AbortController().signal) => {
    const body = exchanges.resume(lastEventId, signal)?.body;
    return body instanceof ReadableStream ? reading(body) : undefined;
  };
  return { clock, exchanges, connection, begun, streamOf, resume, isGone: () => isGone };
}

const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
const response = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('the stream of a response (MCP 2025-11-25, resumability and redelivery)', () => {
  it('begins with an event ID and a retry time, and gives each message an ID', async () => {
    const { exchanges, streamOf } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next } = await streamOf();
    expect(await next()).toMatch(/^id: 1-0\nretry: \d+\ndata: \n\n$/u);
    expect(await next()).toBe(`id: 1-1\ndata: ${progress}\n\n`);
  });

  it('has no event IDs if the app cannot resume it', async () => {
    const { exchanges, streamOf } = waitForResponse({ canResume: false });
    void exchanges.send(progress, '1');
    expect(await (await streamOf()).next()).toBe(`data: ${progress}\n\n`);
  });

  it('resumes after the last event that the app saw before it lost the connection', async () => {
    const { exchanges, streamOf, resume, isGone, connection } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next, cancel } = await streamOf();
    await next();
    await cancel();
    connection.abort();
    void exchanges.send(response, '1');
    expect(isGone()).toBe(false);
    const again = resume('1-0');
    expect(await again?.next()).toBe(`id: 1-1\ndata: ${progress}\n\n`);
    expect(await again?.next()).toBe(`id: 1-2\ndata: ${response}\n\n`);
    expect(await again?.next()).toBeUndefined();
  });

  it('can be resumed if its end was lost with the connection', async () => {
    const { exchanges, streamOf, resume, connection, isGone } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next } = await streamOf();
    void exchanges.send(response, '1');
    while ((await next()) !== undefined);
    connection.abort();
    const other = new AbortController();
    const again = resume('1-1', other.signal);
    expect(await again?.next()).toBe(`id: 1-2\ndata: ${response}\n\n`);
    expect(await again?.next()).toBeUndefined();
    expect(isGone()).toBe(false);
    other.abort(responseSent);
    expect(isGone()).toBe(true);
  });

  it('is dropped once all of it has arrived', async () => {
    const { exchanges, streamOf, resume, connection, isGone } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next } = await streamOf();
    void exchanges.send(response, '1');
    while ((await next()) !== undefined);
    connection.abort(responseSent);
    expect(isGone()).toBe(true);
    expect(resume('1-1')).toBeUndefined();
  });

  it('ends without a response if none will come', async () => {
    const { exchanges, streamOf } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next } = await streamOf();
    await next();
    await next();
    exchanges.end('1');
    expect(await next()).toBeUndefined();
  });

  it('does not repeat events that the app has seen', async () => {
    const { exchanges, streamOf, resume } = waitForResponse();
    void exchanges.send(progress, '1');
    const { next, cancel } = await streamOf();
    await next();
    await next();
    await cancel();
    void exchanges.send(response, '1');
    expect(await resume('1-1')?.next()).toBe(`id: 1-2\ndata: ${response}\n\n`);
  });

  it('is not resumed for an unknown event ID', () => {
    const { exchanges, resume } = waitForResponse();
    void exchanges.send(progress, '1');
    expect(resume('2-0')).toBeUndefined();
    expect(resume('')).toBeUndefined();
    expect(resume('1-all')).toBeUndefined();
  });

  it('is dropped if it is not resumed in time', async () => {
    const { clock, exchanges, streamOf, resume, isGone } = waitForResponse();
    void exchanges.send(progress, '1');
    await (await streamOf()).cancel();
    clock.advance(gatewaySession.brokenStream.longest - 1);
    expect(isGone()).toBe(false);
    clock.advance(1);
    expect(isGone()).toBe(true);
    expect(resume('1-0')).toBeUndefined();
  });

  it('ends early when the server ends its stream, and resumes with it (SEP-1699)', async () => {
    const { exchanges, streamOf, resume } = waitForResponse();
    exchanges.pause('1');
    const { next } = await streamOf();
    expect(await next()).toMatch(/^id: 1-0\n/u);
    expect(await next()).toBeUndefined();
    void exchanges.send(response, '1');
    expect(await resume('1-0')?.next()).toBe(`id: 1-1\ndata: ${response}\n\n`);
  });

  it('begins before an app that waits for the response headers gives up', async () => {
    const { clock, begun } = waitForResponse({ canResume: false });
    clock.advance(gatewaySession.openStreamAfter);
    expect((await begun).response.body).toBeInstanceOf(ReadableStream);
  });
});

it('sends messages that follow a response on the listening stream', async () => {
  const { exchanges, begun } = waitForResponse();
  void exchanges.send(response, '1', { status: 200, isStream: false });
  expect((await begun).response.body).toBe(response);
  void exchanges.send(progress, '1');
  const { next } = reading(exchanges.listen().body as ReadableStream<Uint8Array>);
  expect(await next()).toBe(`data: ${progress}\n\n`);
});

it('answers 202 to a request that gets no response', async () => {
  const { exchanges, begun } = waitForResponse();
  exchanges.end('1');
  expect((await begun).response.status).toBe(202);
});

it('ends the request of an app that disconnects before its response has begun', async () => {
  const { connection, begun, isGone } = waitForResponse();
  connection.abort();
  expect(isGone()).toBe(true);
  expect((await begun).response.status).toBe(404);
});

import type { Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRawNumber, keepNumbers, requestText } from '../../fuzz/message-texts.ts';
import { listenForPipes } from '../../support/listen-for-pipes.ts';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import type { Message, PipeConnection } from '../../support/pipe-gateway.ts';
import { everyPipeKind, startPipe, withEveryPipe } from '../../support/pipe-process.ts';
import type { PipeKind, PipeProcess } from '../../support/pipe-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A session that outlives its gateway. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

const initialize = '{ "jsonrpc":"2.0", "id":1000000000000000000001, "method":"initialize", "params":{"v":1.0} }';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const listChanged = (list: string) => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
const call = (id: number | string, method = 'tools/call') => ({ jsonrpc: '2.0', id, method });
const responseTo = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const lost = (id: unknown) => ({ jsonrpc: '2.0', id, error: lostError });
const lostError = { code: -32_000, message: expect.any(String) as string, data: { code: 'SESSION_LOST' } };

async function open(pipe: PipeKind) {
  const folder = temporaryFolder();
  const socket = gatewaySocket(folder);
  const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
  let gateway = await openPipeGateway(socket);
  return {
    app,
    first: await gateway.nextConnection(),
    stop: () => gateway.stop(),
    /** The next gateway, and the pipe's connection to it. */
    async start(): Promise<PipeConnection> {
      gateway = await openPipeGateway(socket);
      return await gateway.nextConnection();
    },
  };
}

/** An app with a session: `initialize` answered, `notifications/initialized` sent. */
async function shakeHands(app: PipeProcess, connection: PipeConnection): Promise<void> {
  app.send(`${initialize}\n`);
  expect(await connection.nextLine()).toBe(initialize);
  connection.send('{"jsonrpc":"2.0","id":1000000000000000000001,"result":{}}\n');
  await app.nextLine();
  app.send(`${initialized}\n`);
  expect(await connection.nextLine()).toBe(initialized);
}

/** What the pipe replays to a new gateway; the response is for the pipe only. */
async function shakeAgain(connection: PipeConnection): Promise<void> {
  expect(await connection.nextLine()).toBe(initialize);
  connection.send('{"result":{"again":true},"jsonrpc":"2.0","id":1000000000000000000001}\n');
  expect(await connection.nextLine()).toBe(initialized);
}

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)('answers what had been sent once, and continues with the same handshake', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    app.send(call(2), call('three "3"'), { jsonrpc: '2.0', method: 'notifications/progress' });
    app.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call"}\n');
    for (let count = 0; count < 4; count += 1) await first.nextLine();
    first.send(responseTo(2));
    expect(await app.next()).toEqual(responseTo(2));
    await stop();
    expect(await app.next()).toEqual(lost('three "3"'));
    expect(await app.nextLine()).toMatch(/"id":9007199254740993,/u);
    app.send(call(4), call(5));
    const second = await start();
    await shakeAgain(second);
    expect(await app.next()).toEqual(listChanged('tools'));
    expect(await second.next()).toEqual(call(4));
    expect(await second.next()).toEqual(call(5));
    second.send(responseTo(5), responseTo(4));
    expect(await app.next()).toEqual(responseTo(5));
    expect(await app.next()).toEqual(responseTo(4));
    app.send(call(6));
    expect(await second.next()).toEqual(call(6));
    expect(app.lines()).toEqual([]);
    expect(second.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('notifies of resources and prompts too if the app has listed them', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    app.send(call(2, 'resources/list'), call(3, 'prompts/list'));
    for (const id of [2, 3]) {
      await first.nextLine();
      first.send(responseTo(id));
      await app.nextLine();
    }
    await stop();
    await shakeAgain(await start());
    for (const list of ['tools', 'resources', 'prompts']) expect(await app.next()).toEqual(listChanged(list));
  });

  it.skipIf(pipe.missing)('resends an unanswered initialize, and answers it once', async () => {
    const { app, first, stop, start } = await open(pipe);
    app.send(`${initialize}\n`);
    await first.nextLine();
    await stop();
    const second = await start();
    expect(await second.nextLine()).toBe(initialize);
    second.send('{"jsonrpc":"2.0","id":1000000000000000000001,"result":{"second":1}}\n');
    expect(await app.nextLine()).toContain('"second"');
    app.send(`${initialized}\n`);
    expect(await second.nextLine()).toBe(initialized);
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('survives a gateway that ends during the replayed handshake (GW-61)', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    await stop();
    expect(await (await start()).nextLine()).toBe(initialize);
    await stop();
    app.send(call(2));
    const third = await start();
    await shakeAgain(third);
    expect(await third.next()).toEqual(call(2));
    expect(await app.next()).toEqual(listChanged('tools'));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('repeats an open subscriptions/listen, and none that was cancelled or answered', async () => {
    const { app, first, stop, start } = await open(pipe);
    const listen = (id: string) => call(id, 'subscriptions/listen');
    app.send(listen('listen:1'), listen('listen:2'), listen('listen:3'));
    app.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { reason: 'x', requestId: 'listen:2' } });
    for (let count = 0; count < 4; count += 1) await first.nextLine();
    first.send(responseTo('listen:3'));
    await app.nextLine();
    await stop();
    const second = await start();
    expect(await second.next()).toEqual(listen('listen:1'));
    expect(await app.next()).toEqual(listChanged('tools'));
    app.send(call(4));
    expect(await second.next()).toEqual(call(4));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('waits for no request that the app has cancelled', async () => {
    const { app, first, stop } = await open(pipe);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'two' } };
    app.send(call('two'), call(3), cancelled);
    for (let count = 0; count < 3; count += 1) await first.nextLine();
    await stop();
    expect(await app.next()).toEqual(lost(3));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('sends nothing to a gateway that has not said hello (GW-61)', async () => {
    const folder = temporaryFolder();
    const socket = gatewaySocket(folder);
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    const wanted = Promise.withResolvers<Socket>();
    const chunks: Buffer[] = [];
    // Like one that is ending, whose connections the system still accepts.
    const close = await listenForPipes(socket, (each) => {
      each.on('error', () => {}).on('data', (chunk) => chunks.push(chunk));
      wanted.resolve(each);
    });
    const ending = await wanted.promise;
    const ids = Array.from({ length: 10 }, (_, index) => index + 1);
    const params = { text: 'x'.repeat(40_000) };
    for (const id of ids) {
      const line = `${JSON.stringify({ ...call(id), params })}\n`;
      // More than the system buffers: the first ones have been read.
      await new Promise((resolve) => app.child.stdin.write(line, resolve));
    }
    await expect.poll(() => String(Buffer.concat(chunks))).toContain('\n');
    ending.destroy();
    await close();
    const gateway = await openPipeGateway(socket);
    const next = await gateway.nextConnection();
    for (const id of ids) {
      expect(await next.next()).toMatchObject({ id });
      next.send(responseTo(id));
      expect(await app.next()).toEqual(responseTo(id));
    }
    expect(String(Buffer.concat(chunks)).split('\n')).toHaveLength(2);
  });

  it.skipIf(pipe.missing)('cancels what a lost gateway had asked, and passes on no late response (GW-63)', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    first.send(call(1, 'elicitation/create'), call('pinged', 'ping'));
    expect([await app.next(), await app.next()]).toEqual([call(1, 'elicitation/create'), call('pinged', 'ping')]);
    app.send(responseTo('pinged'));
    expect(await first.next()).toEqual(responseTo('pinged'));
    await stop();
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await app.next()).toEqual(cancelled);
    app.send(responseTo(1));
    const second = await start();
    await shakeAgain(second);
    app.send(responseTo(1), call(2));
    expect(await second.next()).toEqual(call(2));
    // Its own request has the same ID.
    await app.next();
    second.send(call(1, 'elicitation/create'));
    await app.next();
    app.send(responseTo(1));
    expect(await second.next()).toEqual(responseTo(1));
  });

  it.skipIf(pipe.missing)('gives the app no partial message (GW-61)', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    app.send(call(2));
    await first.next();
    const [half, torn] = [
      '{"jsonrpc":"2.0","id":2,"result":{"half',
      `{"id":2,"result":{"text":"${'x'.repeat(300_000)}`,
    ];
    first.socket.write(half);
    await new Promise<void>((resolve) => first.socket.end(resolve));
    expect(await app.next()).toEqual(lost(2));
    await stop();
    const second = await start();
    await shakeAgain(second);
    expect(await app.next()).toEqual(listChanged('tools'));
    app.send(call(3));
    await second.next();
    // One that is too long to be held ends with its line.
    second.socket.end(torn);
    expect(await app.nextLine()).toBe(torn);
    expect(await app.next()).toEqual(lost(3));
  });

  it.skipIf(pipe.missing)('gives the gateway no partial message, and answers a long request once (GW-61)', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    app.send(`{"jsonrpc":"2.0","method":"tools/call","params":{"text":"${'x'.repeat(300_000)}`);
    // Wait for the beginning of the line.
    await new Promise((resolve) => first.socket.once('data', resolve));
    await stop();
    const second = await start();
    await shakeAgain(second);
    expect(await app.next()).toEqual(listChanged('tools'));
    app.send('"},"id":7}\n', call(8));
    expect(await app.next()).toEqual(lost(7));
    expect(await second.next()).toEqual(call(8));
  });

  it.skipIf(pipe.missing)('reads at most about 1 MiB from the app while no gateway is there', async () => {
    const { app, first: before, stop, start } = await open(pipe);
    await shakeHands(app, before);
    await stop();
    const text = 'x'.repeat(40_000);
    let accepted = 0;
    const count = 100;
    const write = (id: number): void => {
      const line = `${JSON.stringify({ ...call(id), params: { text } })}\n`;
      app.child.stdin.write(line, () => {
        accepted += line.length;
        if (id < count) write(id + 1);
      });
    };
    write(1);
    await expect.poll(() => accepted).toBeGreaterThan(900_000);
    const second = await start();
    // Includes the system's buffers.
    expect(accepted).toBeLessThan(1_600_000);
    await shakeAgain(second);
    const { id: first = 0 } = (await second.next()) as { id?: number };
    // A request sent before the end was seen is lost, and the app gets an error.
    if (first !== 1) expect([first, await app.next()]).toEqual([2, lost(1)]);
    for (let id = first + 1; id <= count; id += 1) expect(await second.next()).toMatchObject({ id });
  });

  it.skipIf(pipe.missing)('reads IDs like JSON.parse, wherever and however they are written (GW-62)', async () => {
    const { app, first, stop } = await open(pipe);
    const expected = new Set<string>();
    const messages = fc.sample(requestText, { numRuns: 2_000, seed: 20_261_122 }).filter((text) => {
      const message = JSON.parse(text, keepNumbers) as Message;
      const { id, method } = message;
      const isAnswer = typeof method !== 'string' && ('result' in message || 'error' in message);
      if (isAnswer || !(typeof id === 'string' || isRawNumber(id))) return true;
      // An app has one request per ID in flight.
      const isNew = !expected.has(JSON.stringify(id));
      expected.add(JSON.stringify(id));
      return isNew;
    });
    expect(expected.size).toBeGreaterThan(250);
    app.send(...messages.map((text) => `${text}\n`));
    // A response of the app goes no further; the last one asked has seen all before.
    app.send({ jsonrpc: '2.0', method: 'last' });
    while (!(await first.nextLine()).includes('"last"'));
    await stop();
    const lines = new Set<string>();
    while (lines.size < expected.size) {
      const { id } = JSON.parse(await app.nextLine(), keepNumbers) as Message;
      expect(lines).not.toContain(JSON.stringify(id));
      lines.add(JSON.stringify(id));
    }
    expect(lines).toEqual(expected);
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('answers every request exactly once, however often its gateway ends (GW-61)', async () => {
    const { app, first, stop, start } = await open(pipe);
    await shakeHands(app, first);
    let connection = first;
    const answered: Message[] = [];
    const waiting = new Map<unknown, (message: Message) => void>();
    const read = (async () => {
      for (;;) {
        const message = await app.next();
        if (message['method'] !== undefined) continue;
        answered.push(message);
        waiting.get(message['id'])?.(message);
      }
    })();
    void read;
    const calling = new AbortController();
    const serve = async (served: PipeConnection): Promise<void> => {
      for (;;) served.send(responseTo((await served.next())['id']));
    };
    void serve(connection);
    let sent = 0;
    const caller = async (): Promise<void> => {
      while (!calling.signal.aborted) {
        const id = (sent += 1);
        const result = new Promise((resolve) => waiting.set(id, resolve));
        app.send({ ...call(id), params: { text: 'x'.repeat((id % 9) * 30_000) } });
        await result;
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    for (let end = 0; end < 12; end += 1) {
      const before = answered.length;
      await expect.poll(() => answered.length, { interval: 2 }).toBeGreaterThan(before + 10);
      await stop();
      connection = await start();
      await shakeAgain(connection);
      void serve(connection);
    }
    calling.abort();
    await Promise.all(callers);
    const ids = answered.map(({ id }) => id as number).toSorted((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
    for (const message of answered) expect([responseTo(message['id']), lost(message['id'])]).toContainEqual(message);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe whose gateway is slow', () => {
  it('answers what a hanging one had been asked, and continues with the next', async () => {
    await withEveryPipe(async (pipe) => {
      const { app, first, stop, start } = await open(pipe);
      await shakeHands(app, first);
      app.send(call(2));
      await first.nextLine();
      first.hang();
      expect(await app.next()).toEqual(lost(2));
      expect(first.livenessChecks).toBeGreaterThan(0);
      await first.closed;
      await stop();
      app.send(call(3));
      const second = await start();
      await shakeAgain(second);
      expect(await app.next()).toEqual(listChanged('tools'));
      expect(await second.next()).toEqual(call(3));
    });
  });

  it('lets a call take its time as long as the gateway reports that it is alive', async () => {
    await withEveryPipe(async (pipe) => {
      const { app, first } = await open(pipe);
      await shakeHands(app, first);
      app.send(call('listens', 'subscriptions/listen'), call(2));
      // Longer than it would wait for one that hangs.
      await expect.poll(() => first.livenessChecks).toBeGreaterThan(6);
      first.send(responseTo(2));
      expect(await app.next()).toEqual(responseTo(2));
      expect(first.lines()).toHaveLength(2);
    });
  });
});

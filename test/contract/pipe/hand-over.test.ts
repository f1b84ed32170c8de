import { describe, expect, it } from 'vitest';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import type { PipeConnection } from '../../support/pipe-gateway.ts';
import { everyPipeKind, startPipe } from '../../support/pipe-process.ts';
import type { PipeProcess } from '../../support/pipe-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// One gateway hands over to the next: no message is lost.

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

const [rest, resting, back] = ['rest', 'resting', 'back'].map((word) => `{"postern":1,"control":"${word}"}`) as [
  string,
  string,
  string,
];
const initialize = '{"jsonrpc":"2.0","id":"i","method":"initialize"}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const call = (id: number, more = ''): string => `{ "jsonrpc":"2.0", "id":${id}, "method":"tools/call"${more} }`;
const responseTo = (id: number | string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;
const cancellation = (id: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const listChanged = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  async function open() {
    const folder = temporaryFolder();
    const socket = gatewaySocket(folder);
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    let gateway = await openPipeGateway(socket);
    const first = await gateway.nextConnection();
    tell(app, initialize);
    expect(await first.nextLine()).toBe(initialize);
    say(first, responseTo('i'));
    expect(await app.nextLine()).toBe(responseTo('i'));
    tell(app, initialized);
    expect(await first.nextLine()).toBe(initialized);
    return {
      app,
      first,
      /** The next gateway, and the pipe's connection to it. */
      async handOver(): Promise<PipeConnection> {
        await gateway.stop();
        gateway = await openPipeGateway(socket);
        return await gateway.nextConnection();
      },
    };
  }

  const tell = (app: PipeProcess, ...lines: string[]): void => app.send(...lines.map((line) => `${line}\n`));
  const say = (connection: PipeConnection, ...lines: string[]): void =>
    connection.send(...lines.map((line) => `${line}\n`));

  async function shakeAgain(app: PipeProcess, connection: PipeConnection): Promise<void> {
    expect(await connection.nextLine()).toBe(initialize);
    say(connection, responseTo('i'));
    expect(await connection.nextLine()).toBe(initialized);
    expect(await app.nextLine()).toBe(listChanged);
  }

  it.skipIf(pipe.missing)(
    'holds requests for the next gateway, and passes on messages for those in flight',
    async () => {
      const { app, first, handOver } = await open();
      tell(app, call(1), call(2));
      await first.nextLine();
      await first.nextLine();
      say(first, '{"jsonrpc":"2.0","id":"q","method":"roots/list"}', rest);
      expect(await app.nextLine()).toContain('roots/list');
      expect(await first.nextLine()).toBe(resting);
      tell(app, call(3), cancellation(3), responseTo('q'), cancellation(2), '{"jsonrpc":"2.0","method":"x"}');
      expect(await first.nextLine()).toBe(responseTo('q'));
      expect(await first.nextLine()).toBe(cancellation(2));
      say(first, responseTo(2), responseTo(1));
      expect([await app.nextLine(), await app.nextLine()]).toEqual([responseTo(2), responseTo(1)]);
      const second = await handOver();
      expect(first.lines()).toEqual([]);
      await shakeAgain(app, second);
      const waited = [await second.nextLine(), await second.nextLine(), await second.nextLine()];
      expect(waited).toEqual([call(3), cancellation(3), '{"jsonrpc":"2.0","method":"x"}']);
      say(second, responseTo(3));
      expect(await app.nextLine()).toBe(responseTo(3));
      expect(app.lines()).toEqual([]);
    },
  );

  it.skipIf(pipe.missing)('resends requeued messages of any length before newer ones', async () => {
    const { app, first, handOver } = await open();
    const long = call(2, `,"params":{"text":"${'x'.repeat(3_000_000)}"}`);
    tell(app, call(1), long, call(3));
    for (let count = 0; count < 3; count += 1) await first.nextLine();
    say(first, rest);
    expect(await first.nextLine()).toBe(resting);
    tell(app, call(4));
    say(first, back, long, responseTo(1), back, call(3), back, cancellation(7));
    expect(await app.nextLine()).toBe(responseTo(1));
    const second = await handOver();
    await shakeAgain(app, second);
    for (const line of [long, call(3), cancellation(7), call(4)]) expect(await second.nextLine()).toBe(line);
    say(second, responseTo(4), responseTo(3), responseTo(2));
    for (const id of [4, 3, 2]) expect(await app.nextLine()).toBe(responseTo(id));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('reports that it has paused once a partially sent long line has ended', async () => {
    const { app, first, handOver } = await open();
    const beginning = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"text":"${'x'.repeat(300_000)}`;
    app.send(beginning);
    await new Promise((resolve) => first.socket.once('data', resolve));
    say(first, rest, '{"jsonrpc":"2.0","method":"notifications/seen"}');
    expect(await app.nextLine()).toContain('seen');
    tell(app, '"}}', call(6));
    expect(await first.nextLine()).toBe(`${beginning}"}}`);
    expect(await first.nextLine()).toBe(resting);
    say(first, responseTo(5));
    expect(await app.nextLine()).toBe(responseTo(5));
    const second = await handOver();
    await shakeAgain(app, second);
    expect(await second.nextLine()).toBe(call(6));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('pauses during a handshake that it repeats', async () => {
    const { app, handOver } = await open();
    const second = await handOver();
    expect(await second.nextLine()).toBe(initialize);
    tell(app, call(1));
    say(second, rest);
    expect(await second.nextLine()).toBe(resting);
    say(second, back, initialize);
    const third = await handOver();
    await shakeAgain(app, third);
    expect(await third.nextLine()).toBe(call(1));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('resends a requeued initialize, and answers it once', async () => {
    const folder = temporaryFolder();
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const first = await gateway.nextConnection();
    tell(app, initialize);
    expect(await first.nextLine()).toBe(initialize);
    say(first, rest, back, initialize);
    expect(await first.nextLine()).toBe(resting);
    await gateway.stop();
    const second = await (await openPipeGateway(gatewaySocket(folder))).nextConnection();
    expect(await second.nextLine()).toBe(initialize);
    say(second, responseTo('i'));
    expect(await app.nextLine()).toBe(responseTo('i'));
    expect(app.lines()).toEqual([]);
  });

  it.skipIf(pipe.missing)('takes no server message for a control line of its gateway (GW-66)', async () => {
    const { app, first } = await open();
    const message = '{"jsonrpc":"2.0","method":"notifications/x","postern":1,"control":"rest"}';
    say(first, message, ` ${rest}`);
    expect(await app.nextLine()).toBe(message);
    expect(await app.nextLine()).toBe(` ${rest}`);
    tell(app, call(1));
    expect(await first.nextLine()).toBe(call(1));
  });
});

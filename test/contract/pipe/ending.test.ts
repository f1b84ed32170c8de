import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import { everyPipeKind, startPipe } from '../../support/pipe-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeList } from '../../support/write-profile.ts';

/** When a pipe exits. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

describe.skipIf(process.platform === 'win32').concurrent.for(suites)('the $name pipe ends', ({ pipe }) => {
  async function open() {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    const connection = await gateway.nextConnection();
    await connection.hello;
    return { folder, gateway, app, connection };
  }

  it.skipIf(pipe.missing)('when standard input ends, after everything written has been sent', async () => {
    const { app, connection } = await open();
    app.child.stdin.end('{"jsonrpc":"2.0","method":"notifications/last"}\n');
    expect(await connection.next()).toMatchObject({ method: 'notifications/last' });
    await connection.closed;
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('once its requests are answered, if standard input ends after the last one', async () => {
    const { app, connection } = await open();
    // As a script writes it: without a line break at the end.
    app.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":"two","method":"b"}');
    expect(await connection.next()).toMatchObject({ id: 1 });
    expect(await connection.next()).toMatchObject({ id: 'two' });
    connection.send({ jsonrpc: '2.0', id: 'two', result: {} });
    expect(await app.next()).toMatchObject({ id: 'two' });
    const long = 'x'.repeat(2_000_000);
    connection.send({ jsonrpc: '2.0', method: 'notifications/progress' }, { jsonrpc: '2.0', id: 1, result: { long } });
    expect(await app.next()).toMatchObject({ method: 'notifications/progress' });
    expect(await app.next()).toMatchObject({ id: 1, result: { long } });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('the same if a server sends a request that nothing can answer anymore', async () => {
    const { app, connection } = await open();
    app.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
    expect(await connection.next()).toMatchObject({ id: 1 });
    connection.send({ jsonrpc: '2.0', id: 'before', method: 'elicitation/create' });
    expect(await app.next()).toMatchObject({ id: 'before' });
    app.child.stdin.end();
    expect(await connection.next()).toMatchObject({ id: 'before', error: { code: -32_000 } });
    connection.send({ jsonrpc: '2.0', id: 7, method: 'roots/list' });
    expect(await app.next()).toMatchObject({ id: 7 });
    expect(await connection.next()).toMatchObject({ id: 7, error: { code: -32_000 } });
    connection.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await app.next()).toMatchObject({ id: 1, result: {} });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing).each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
    ['no JSON', 'garbage'],
    ['the beginning of a message', '{"jsonrpc":"2.0","method":"a","params":{'],
    ['a request whose id is null', '{"jsonrpc":"2.0","id":null,"method":"a"}'],
  ])('once it has a response to a line that is no message (JSON-RPC 2.0, 5): %s', async (_what, line) => {
    const { app, connection } = await open();
    app.child.stdin.end(`\n${line}\r\n\r\n${line}`);
    expect([await connection.nextLine(), await connection.nextLine()]).toEqual(['', `${line}\r`]);
    connection.send({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'First' } });
    expect(await app.next()).toMatchObject({ id: null, error: { message: 'First' } });
    connection.send({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Second' } });
    expect(await app.next()).toMatchObject({ id: null, error: { message: 'Second' } });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('once it has a response to a message without a request', async () => {
    const { app, connection } = await open();
    app.child.stdin.end('{"jsonrpc":"2.0","id":7}');
    expect(await connection.next()).toMatchObject({ id: 7 });
    connection.send({ jsonrpc: '2.0', id: 7, error: { code: -32_600, message: 'No method' } });
    expect(await app.next()).toMatchObject({ id: 7, error: { message: 'No method' } });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('with a response to what is no message if Postern has no profile', async () => {
    const app = startPipe(pipe, ['--profile-folder', temporaryFolder(), 'notes']);
    app.child.stdin.end('garbage\n');
    expect(await app.next()).toMatchObject({ id: null, error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
    expect(await app.ended).toEqual({ code: 1, signal: null });
  });

  it.skipIf(pipe.missing ?? pipe.isNative)(
    'ten minutes after the end of standard input, whatever the gateway sends',
    async () => {
      const folder = temporaryFolder();
      const gateway = await openPipeGateway(gatewaySocket(folder));
      // How far its clock is ahead.
      const ahead = path.join(folder, 'ahead');
      const setClock = (milliseconds: number): void => writeFileSync(ahead, `${milliseconds}`);
      setClock(0);
      const clock = `import { readFileSync } from 'node:fs';
        const now = performance.now.bind(performance);
        performance.now = () => now() + Number(readFileSync(${JSON.stringify(ahead)}, 'utf8'));`;
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}` };
      const app = startPipe(pipe, ['--profile-folder', folder, 'notes'], { env });
      const connection = await gateway.nextConnection();
      app.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
      expect(await connection.next()).toMatchObject({ id: 1 });
      for (const minute of [4, 8, 12]) {
        setClock(minute * 60_000);
        connection.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { minute } });
        expect(await app.next()).toMatchObject({ params: { minute } });
      }
      expect(await app.next()).toMatchObject({ id: 1, error: { data: { code: 'SESSION_LOST' } } });
      expect(await app.ended).toEqual({ code: 0, signal: null });
    },
  );

  it.skipIf(pipe.missing)('the same if nothing listened yet, and subscriptions are not waited for', async () => {
    const folder = temporaryFolder();
    writeList(folder, []);
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    app.child.stdin.end(
      '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
    );
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const connection = await gateway.nextConnection();
    expect([await connection.next(), await connection.next()]).toMatchObject([{ id: 1 }, { id: 2 }]);
    connection.send({ jsonrpc: '2.0', id: 2, result: {} });
    expect(await app.next()).toMatchObject({ id: 2 });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('at the end of a connection with a request in flight, whose loss is reported', async () => {
    const { gateway, app, connection } = await open();
    app.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
    await connection.next();
    await gateway.stop();
    expect(await app.next()).toMatchObject({ id: 1, error: { data: { code: 'SESSION_LOST' } } });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('after that too if the connection has only just been made', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    for (let times = 0; times < 20; times += 1) {
      const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      const connection = await gateway.nextConnection();
      await connection.hello;
      app.child.stdin.end('{"jsonrpc":"2.0","method":"notifications/last"}\n');
      expect(await connection.next()).toMatchObject({ method: 'notifications/last' });
      expect(await app.ended).toEqual({ code: 0, signal: null });
    }
  });

  it.skipIf(pipe.missing).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('at %s', async (signal) => {
    const { app, connection } = await open();
    app.child.kill(signal);
    expect(await app.ended).toEqual({ code: 0, signal: null });
    await connection.closed;
  });

  it.skipIf(pipe.missing)('when the app stops reading', async () => {
    const { app, connection } = await open();
    app.child.stdout.destroy();
    connection.send({ jsonrpc: '2.0', method: 'notifications/one' }, { jsonrpc: '2.0', method: 'notifications/two' });
    expect(await app.ended).toEqual({ code: 0, signal: null });
  });

  it.skipIf(pipe.missing)('when its parent is gone, even if its standard input stays open', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    // The parent's own input is the pipe's too, and this test holds its other end.
    const fifo = path.join(folder, 'input');
    execFileSync('mkfifo', [fifo]);
    const input = openSync(fifo, 'r+');
    afterTest(() => closeSync(input));
    const words = [...pipe.command, '--profile-folder', folder, 'notes'];
    const script = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`;
    const parent = spawn(process.execPath, ['-e', script, ...words], { stdio: [input, 'ignore', 'ignore'] });
    afterTest(() => void parent.kill('SIGKILL'));
    const connection = await gateway.nextConnection();
    await connection.hello;
    parent.kill('SIGKILL');
    await connection.closed;
  });

  it.skipIf(pipe.missing)('with 1 when nothing ever listened', async () => {
    const app = startPipe(pipe, ['--profile-folder', temporaryFolder(), 'notes']);
    app.child.stdin.end();
    expect(await app.ended).toEqual({ code: 1, signal: null });
    expect(app.lines()).toEqual([]);
  });
});

import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { product } from '../../../shared/product.ts';
import { closedSocket, gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import { everyPipeKind, startPipe, withEveryPipe } from '../../support/pipe-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A pipe between an app (this test) and a gateway (a socket of this test). */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

/** Valid JSON that a parser and serializer would not reproduce. */
const oddMessages = [
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"n":1.10,"big":98765432109876543210}}',
  '  { "params" : { "id" : 7 , "method" : "no" } , "id" : "\\u0061\\/b" , "method" : "y" , "jsonrpc" : "2.0" }\r',
  '{"jsonrpc":"2.0","method":"notifications/odd","params":{"text":"é\\ud83d\\ude00 { [ \\" \\\\","a":1,"a":2}}',
  '[{"jsonrpc":"2.0","id":1,"method":"batch"}]',
  'not JSON',
];

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)('first sends which server it is for, and who it is', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const cwd = temporaryFolder();
    const words = ['--profile-folder', folder, 'notes', '--app', '0123456789abcdef'];
    const app = startPipe(pipe, words, { cwd });
    const { postern, open } = await (await gateway.nextConnection()).hello;
    const parent = readFileSync(`/proc/${process.pid}/comm`, 'utf8').trim();
    expect({ postern, open }).toEqual({
      postern: 1,
      open: {
        server: 'notes',
        app: '0123456789abcdef',
        pipe: product.version,
        pid: app.child.pid,
        parent,
        cwd,
        awaitsHere: true,
      },
    });
  });

  it.skipIf(pipe.missing)('omits what it does not know, and accepts the arguments in any order', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    startPipe(pipe, ['a "quoted" \\ näme', '--profile-folder', path.relative(process.cwd(), folder)]);
    const { open } = await (await gateway.nextConnection()).hello;
    expect(open).toMatchObject({ server: 'a "quoted" \\ näme' });
    expect(Object.keys(open)).not.toContain('app');
  });

  it.skipIf(pipe.missing)('finds the default profile with only HOME and PATH', async () => {
    const home = temporaryFolder();
    const usual = process.platform === 'darwin' ? 'Library/Application Support/Postern' : '.config/Postern';
    const gateway = await openPipeGateway(gatewaySocket(path.join(home, usual)));
    startPipe(pipe, ['notes'], { env: { HOME: home } });
    expect(await (await gateway.nextConnection()).hello).toMatchObject({ open: { server: 'notes' } });
  });

  it.skipIf(pipe.missing)('uses POSTERN_HOME for the profile if no argument names one', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    startPipe(pipe, ['notes'], { env: { POSTERN_HOME: folder } });
    expect(await (await gateway.nextConnection()).hello).toMatchObject({ open: { server: 'notes' } });
  });

  it.skipIf(pipe.missing || pipe.isByPort).each(['XDG_RUNTIME_DIR', 'TMPDIR'])(
    'finds the socket of a profile whose path is too long for one, below %s',
    async (variable) => {
      const folder = path.join(temporaryFolder(), 'long'.repeat(25));
      const place = temporaryFolder();
      mkdirSync(folder);
      const { dev, ino } = statSync(folder, { bigint: true });
      const gateway = await openPipeGateway(closedSocket(path.join(place, `postern-${dev}-${ino}`)));
      const words = ['--profile-folder', path.join(folder, '..', path.basename(folder)), 'notes'];
      startPipe(pipe, words, { env: { [variable]: place } });
      expect(await (await gateway.nextConnection()).hello).toMatchObject({ open: { server: 'notes' } });
    },
  );

  it.skipIf(pipe.missing)('passes every line on unchanged, in both directions and in order', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    const text = oddMessages.map((message) => `${message}\n`).join('');
    app.send(text);
    const connection = await gateway.nextConnection();
    for (const message of oddMessages) expect(await connection.nextLine()).toBe(message);
    connection.send(text);
    for (const message of oddMessages) expect(await app.nextLine()).toBe(message);
    // In pieces of one byte.
    for (const byte of Buffer.from(text)) connection.socket.write(Buffer.of(byte));
    for (const message of oddMessages) expect(await app.nextLine()).toBe(message);
  });

  it.skipIf(pipe.missing)('carries messages of many MB both ways at once, without growing (GW-65)', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    const long = (id: number): string => `{"params":{"text":"${'\\"é'.repeat(1_500_000)}"},"id":${id},"method":"m"}`;
    const connection = await gateway.nextConnection();
    // What is sent before the gateway is there is held.
    app.send('{"method":"first"}\n');
    await connection.nextLine();
    // Nothing is read before everything is written: each direction has to move on its own.
    for (const id of [1, 2, 3]) {
      app.send(`${long(id)}\n`);
      connection.send(`${long(id)}\n`);
    }
    for (const id of [1, 2, 3]) {
      expect((await connection.nextLine()) === long(id)).toBe(true);
      expect((await app.nextLine()) === long(id)).toBe(true);
    }
    if (process.platform !== 'linux') return;
    const [, peak] = /^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${app.child.pid}/status`, 'utf8')) ?? [];
    // The limits are for an idle Node and for a native pipe at any time; the rest is Node's own garbage.
    expect(Number(peak)).toBeLessThan(pipe.isNative ? 3 * 1_024 : 100 * 1_024);
  });

  it.skipIf(pipe.missing)('reads the app while the app reads nothing (GW-65)', async () => {
    const folder = temporaryFolder();
    const text = 'x'.repeat(10_000);
    const gateway = await openPipeGateway(gatewaySocket(folder), ({ id }, connection) =>
      connection.send({ jsonrpc: '2.0', id, result: { text } }),
    );
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    app.child.stdout.pause();
    await gateway.nextConnection();
    const count = 300;
    const written = new Promise((resolve) => {
      for (let id = 1; id <= count; id += 1) {
        const line = `${JSON.stringify({ jsonrpc: '2.0', id, method: 'echo', params: { text } })}\n`;
        app.child.stdin.write(line, id === count ? resolve : undefined);
      }
    });
    await written;
    app.child.stdout.resume();
    const ids: unknown[] = [];
    while (ids.length < count) ids.push((await app.next())['id']);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it.skipIf(pipe.missing)('reports on standard error that it is connected, in one line', async () => {
    const folder = temporaryFolder();
    const gateway = await openPipeGateway(gatewaySocket(folder));
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
    await (
      await gateway.nextConnection()
    ).hello;
    app.child.stdin.end();
    await app.ended;
    expect(app.stderr().split('\n')).toEqual([expect.stringContaining('notes'), '']);
  });

  it.skipIf(pipe.missing).each([[], ['a', 'b'], ['a', '--app'], ['a', '--other'], ['--profile-folder', '', 'a']])(
    'ends with 2 and one line on a usage error: %j',
    async (...words) => {
      const app = startPipe(pipe, words);
      expect(await app.ended).toEqual({ code: 2, signal: null });
      expect(app.stderr()).toMatch(/^Usage: .*\n$/u);
      expect(app.lines()).toEqual([]);
    },
  );

  it.skipIf(pipe.missing)('creates nothing in the profile, nor in its parent folder', async () => {
    const folder = temporaryFolder();
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, 'inner'));
    chmodSync(cwd, 0o500);
    const gateway = await openPipeGateway(gatewaySocket(folder));
    chmodSync(folder, 0o500);
    const app = startPipe(pipe, ['--profile-folder', folder, 'notes'], { cwd });
    await (
      await gateway.nextConnection()
    ).hello;
    app.child.stdin.end();
    expect(await app.ended).toEqual({ code: 0, signal: null });
    chmodSync(folder, 0o700);
    chmodSync(cwd, 0o700);
  });
});

it.skipIf(process.platform === 'win32')(
  'a pipe trusts no socket in a folder that others may enter (GW-60)',
  async () => {
    await withEveryPipe(async (pipe) => {
      const folder = temporaryFolder();
      const socket = gatewaySocket(folder);
      const gateway = await openPipeGateway(socket);
      chmodSync(path.dirname(socket), 0o755);
      const program = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      program.send({ jsonrpc: '2.0', id: 1, method: 'initialize' });
      expect(await program.next()).toMatchObject({ id: 1, error: { data: { code: 'GATEWAY_UNREACHABLE' } } });
      expect(gateway.connections).toEqual([]);
    });
  },
);

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { affectsResult, processIdentity } from '../../main/cli/start/this-process.ts';
import { requestYield } from '../../main/host/gateway/gateway-holder.ts';
import { encodeFrame } from '../../main/net/endpoint/command-frames.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startElicitationServer } from '../support/elicitation-server.ts';
import { onTerminal } from '../support/on-terminal.ts';
import {
  commandEnvironment,
  posternCommand,
  runPostern,
  startCommand,
  startPostern,
} from '../support/postern-process.ts';
import type { PosternOptions, PosternProcess, PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** Commands that a running Postern executes for the process that they were typed in, and those it never executes. */

/** Longer than a response may be whose texts are not passed on as they arrive. */
const longText = 'long '.repeat(2_000_000);

const tools = ['echo', 'fails', 'numbers', 'long'].map((name) => ({
  name,
  inputSchema,
  ...(name === 'echo' && { annotations: { readOnlyHint: true } }),
}));

function answer(request: RawRequest): boolean {
  const { method, params } = request.message;
  if (method !== 'tools/call') return false;
  const { name, arguments: given } = params as { name: string; arguments: object };
  const frames = textResult(JSON.stringify(given));
  if (name === 'echo') sendJson(request, frames);
  else if (name === 'fails') sendJson(request, { result: { ...frames.result, isError: true } });
  else if (name === 'long') sendJson(request, textResult(longText));
  else if (name === 'numbers') {
    const exact = '{"result":{"content":[],"structuredContent":{"id":12345678901234567890,"one":1.0}},';
    const id = JSON.stringify(request.message.id);
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(`${exact}"jsonrpc":"2.0","id":${id}}`);
  } else return false;
  return true;
}

async function connectRawServer(onRequest = answer) {
  const server = await startRawServer('session', tools, onRequest);
  const home = temporaryFolder();
  const connected = await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home });
  expect(connected.code).toBe(0);
  const count = (method: string): number => server.methods().filter((each) => each === method).length;
  return { server, home, sessions: () => count('initialize'), calls: () => count('tools/call') };
}

async function serve(home: string): Promise<PosternProcess> {
  const serving = startPostern(['serve', '--json'], { home });
  await serving.waitFor(/"event":"serving"/u);
  return serving;
}

/** What the user who typed the command gets. */
const gotten = ({ code, stdout, stderr }: PosternResult) => ({ code, stdout, stderr });

/** An unresponsive Postern; counts connections. */
async function startUnresponsive(home: string, run = path.join(home, 'run')) {
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const endpoint = path.join(run, 'endpoint.json');
  writeFileSync(endpoint, JSON.stringify({ control: 'a'.repeat(64) }), { mode: 0o600 });
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).resume();
  });
  const socket = path.join(run, 'control.sock');
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  chmodSync(socket, 0o600);
  onTestFinished(() => void server.close());
  return { connections: () => connections, endpoint, socket };
}

describe('a command that a running Postern executes', () => {
  const typed: readonly (readonly [words: readonly string[], options?: Partial<PosternOptions>])[] = [
    [['list']],
    [['list', '--json']],
    [['show', 'x']],
    [['show', 'x', '--json']],
    [['show', 'nobody']],
    [['show', 'nobody', '--json']],
    [['tools', 'x']],
    [['tools', 'x', '--json']],
    [['resources', 'x', '--json']],
    [['prompts', 'x']],
    [['call', 'x', 'echo', 'text=hi']],
    [['call', 'x', 'echo', 'text=hi', '--json']],
    [['call', 'x', 'echo', '-'], { stdin: '{"text":"said"}' }],
    [['call', 'x', 'numbers']],
    [['call', 'x', 'numbers', '--json']],
    [['call', 'x', 'long']],
    [['call', 'x', 'fails']],
    [['call', 'x', 'fails', '--json']],
    [['call', 'x', 'missing', '--json']],
    [['call', 'x']],
    [['read', 'x', 'test://nothing', '--json']],
    [['prompt', 'x', 'nothing', '--json']],
    [['refresh', 'x', '--json']],
    [['permit', 'x']],
    [['permit', 'x', 'echo', 'ask', '--json']],
    [['permit', 'x', 'echo', 'default', '--json']],
    [['tools', 'x', '--nonsense']],
  ];

  it('prints and exits as it would without a running Postern, byte for byte', async () => {
    const { home, sessions } = await connectRawServer();
    const all = async (run: typeof runPostern): Promise<object[]> => {
      const results: object[] = [];
      for (const [words, options] of typed) results.push({ words, ...gotten(await run(words, { home, ...options })) });
      return results;
    };
    const alone = await all(runInProcess);
    const before = sessions();
    await serve(home);
    expect(await all(runPostern)).toEqual(alone);
    expect(sessions() - before).toBeLessThan(before / 3);
  });

  it('sends only a call, in the session of the one before', async () => {
    const { home, server } = await connectRawServer();
    await serve(home);
    const call = () => runPostern(['call', 'x', 'echo', 'text=hi'], { home });
    await call();
    const before = server.received.length;
    expect(await call()).toMatchObject({ code: 0, stdout: '{"text":"hi"}' });
    expect(server.methods().slice(before)).toEqual(['tools/call']);
    // One that may change something is compared with its current arguments.
    await runPostern(['call', 'x', 'numbers', 'text=hi'], { home });
    expect(server.methods().slice(before + 1)).toEqual(['tools/list', 'tools/call']);
  });

  it('reads files relative to where it was typed', async () => {
    const { home } = await connectRawServer();
    await serve(home);
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'note.txt'), 'of a file');
    const { stdout } = await runPostern(['call', 'x', 'echo', 'text=@note.txt'], { home, cwd });
    expect(JSON.parse(stdout)).toEqual({ text: 'of a file' });
  });

  it('is canceled by Ctrl-C, and its server is notified', async () => {
    const requested = Promise.withResolvers<RawRequest>();
    const { home, server } = await connectRawServer((request) => {
      if (request.message.method !== 'tools/call') return false;
      requested.resolve(request);
      return true;
    });
    await serve(home);
    const call = startPostern(['call', 'x', 'echo', '--json'], { home });
    const { message } = await requested.promise;
    call.kill('SIGINT');
    expect(await call.ended).toMatchObject({ code: 130, last: { error: { code: 'CALL_INTERRUPTED' } } });
    const cancelled = server.received.find((each) => each.message.method === 'notifications/cancelled');
    expect(cancelled?.message.params?.requestId).toBe(message.id);
  });

  it('reports that the tool may have run if Postern is killed meanwhile, and does not call it again', async () => {
    const requested = Promise.withResolvers<void>();
    const { home, calls } = await connectRawServer((request) => {
      if (request.message.method !== 'tools/call') return false;
      requested.resolve();
      return true;
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', '--json'], { home });
    await requested.promise;
    serving.kill('SIGKILL');
    expect(await call.ended).toMatchObject({ code: 1, last: { error: { code: 'COMMAND_LOST' } } });
    expect(calls()).toBe(1);
  });

  it('has a session to itself, isolated from other commands', async () => {
    const held: RawRequest[] = [];
    const both = Promise.withResolvers<void>();
    const { home, sessions } = await connectRawServer((request) => {
      if (request.message.method !== 'tools/call') return false;
      held.push(request);
      if (held.length === 2) both.resolve();
      return true;
    });
    await serve(home);
    const before = sessions();
    const calls = [1, 2].map(() => runPostern(['call', 'x', 'echo', 'text=hi'], { home }));
    await both.promise;
    for (const request of held) answer(request);
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual([0, 0]);
    expect(sessions()).toBe(before + 2);
  });

  it('runs to its end while a window takes over from the service', async () => {
    const requested = Promise.withResolvers<RawRequest>();
    const { home } = await connectRawServer((request) => {
      if (request.message.method !== 'tools/call') return false;
      requested.resolve(request);
      return true;
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', 'text=hi'], { home });
    const request = await requested.promise;
    await requestYield(home);
    // Another one can serve.
    const next = await serve(home);
    answer(request);
    expect(await call.ended).toMatchObject({ code: 0, stdout: '{"text":"hi"}' });
    expect((await serving.ended).code).toBe(0);
    next.kill('SIGTERM');
    await next.ended;
  });

  it('can be ended if Postern no longer responds', async () => {
    const requested = Promise.withResolvers<void>();
    const { home } = await connectRawServer((request) => {
      if (request.message.method === 'tools/call') requested.resolve();
      return request.message.method === 'tools/call';
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', 'text=hi'], { home });
    await requested.promise;
    serving.kill('SIGSTOP');
    onTestFinished(() => serving.kill('SIGCONT'));
    call.kill('SIGINT');
    call.kill('SIGTERM');
    expect((await call.ended).code).toBe(130);
  });

  it('prompts for a server on the terminal where it was typed', async () => {
    const { url } = await startElicitationServer();
    const home = temporaryFolder();
    await runInProcess(['connect', url, '--local', '--name', 'x', '--json'], { home });
    const env = { BROWSER: '' };
    const serving = startPostern(['serve', '--json'], { home, env });
    await serving.waitFor(/"event":"serving"/u);
    const call = startCommand(onTerminal(...posternCommand('call', 'x', 'form')), { home, env });
    await call.waitFor(/Street .*: /u);
    call.type('decline\n');
    expect((await call.ended).stdout).toMatch(/"action":\s*"decline"/u);
    serving.kill('SIGTERM');
    expect((await serving.ended).stdout).not.toContain('Street');
  });
});

describe('a command runs in its own process', () => {
  it('with another time zone or proxy', async () => {
    const { home, sessions } = await connectRawServer();
    await serve(home);
    const call = (env: NodeJS.ProcessEnv) => runPostern(['call', 'x', 'echo', 'text=hi'], { home, env });
    await call({});
    for (const env of [{ TZ: 'Pacific/Auckland' }, { NO_PROXY: 'other.example' }]) {
      const before = sessions();
      expect({ env, code: (await call(env)).code, opened: sessions() - before }).toEqual({ env, code: 0, opened: 1 });
    }
  });

  it('if Postern was killed and its sockets still exist', async () => {
    const { home } = await connectRawServer();
    const serving = await serve(home);
    serving.kill('SIGKILL');
    await serving.ended.catch(() => {});
    expect(await runPostern(['call', 'x', 'echo', 'text=hi'], { home })).toMatchObject({ code: 0 });
  });

  it('if the running Postern accepts it and does not respond', async () => {
    const home = temporaryFolder();
    const other = await startUnresponsive(home);
    expect(await runPostern(['list', '--json'], { home })).toMatchObject({ code: 0 });
    expect(other.connections()).toBe(1);
  });

  it.each(['token', 'exec'])('if it prints a secret: %s', async (command) => {
    const { home } = await connectRawServer();
    const other = await startUnresponsive(home);
    await runPostern([command, 'x', ...(command === 'exec' ? ['--', 'true'] : [])], { home });
    expect(other.connections()).toBe(0);
  });

  it.each(['endpoint', 'socket', 'folder'] as const)(
    'if other users of this computer can write what leads to the other one: %s',
    async (which) => {
      const home = temporaryFolder();
      const other = await startUnresponsive(home);
      chmodSync(which === 'folder' ? path.dirname(other.socket) : other[which], 0o777);
      expect(await runPostern(['list', '--json'], { home })).toMatchObject({ code: 0 });
      expect(other.connections()).toBe(0);
    },
  );
});

describe('a running Postern', () => {
  async function ask(
    home: string,
    change: (frames: { secret: string; run: Record<string, unknown> }) => void,
    ...typed: Buffer[]
  ) {
    const { control: secret } = JSON.parse(readFileSync(path.join(home, 'run', 'endpoint.json'), 'utf8')) as {
      control: string;
    };
    const terminals = { stdin: false, stdout: false, stderr: false };
    const identity = processIdentity({ isPackaged: false, channel: 'dev' });
    const env = Object.fromEntries(
      Object.entries(commandEnvironment({ home })).filter(([name]) => affectsResult(name)),
    );
    const request = { postern: 1, secret, run: { identity, argv: ['list'], env, terminals } };
    change(request);
    const socket = createConnection(path.join(home, 'run', 'control.sock'));
    socket.write(`${JSON.stringify(request)}\n`);
    socket.write(encodeFrame('begin'));
    return await readAnswer(socket, (received) => {
      // Input that arrives before the command reads is dropped.
      if (received.includes(encodeFrame('read'))) for (const piece of typed.splice(0)) socket.write(piece);
    });
  }

  /** A connection that is closed before all its input was read is reset, which is no response either. */
  async function readAnswer(socket: Socket, onData: (received: Buffer) => void = () => {}): Promise<string> {
    let received = Buffer.alloc(0);
    socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        onData(received);
      });
    await new Promise((resolve) => void socket.once('close', resolve));
    return received.toString();
  }

  it('disconnects one that keeps writing after its end', async () => {
    const { home } = await connectRawServer();
    await serve(home);
    const frames = Array.from({ length: 160 }, () => encodeFrame('input', Buffer.alloc(65_536, ' ')));
    const call = (each: { run: Record<string, unknown> }) => void (each.run['argv'] = ['call', 'x', 'echo', '-']);
    expect(await ask(home, call, ...frames)).toContain('longer than');
  });

  it('runs a command of its user, and none that it must not', async () => {
    const { home } = await connectRawServer();
    await serve(home);
    expect(await ask(home, () => {})).toContain('NAME');
    const refused: readonly (readonly [which: string, change: Parameters<typeof ask>[1]])[] = [
      ['that does not show its secret', (frames) => void (frames.secret = 'b'.repeat(64))],
      ['of another version', ({ run }) => void (run['identity'] = ['9.9.9'])],
      ['that it does not know', ({ run }) => void (run['argv'] = ['nonsense'])],
      ['that prints a secret', ({ run }) => void (run['argv'] = ['token', 'x'])],
      ['that prompts a user elsewhere', ({ run }) => void (run['argv'] = ['tools', 'x', '--sign-in', 'browser'])],
    ];
    for (const [which, change] of refused)
      expect({ which, printed: await ask(home, change) }).toEqual({ which, printed: '' });
  });

  it('accepts no command at the socket of AI apps', async () => {
    const { home } = await connectRawServer();
    const serving = startPostern(['serve', '--json'], { home });
    const [, socket = ''] = await serving.waitFor(/"socket":"([^"]+)"/u);
    const { control: secret } = JSON.parse(readFileSync(path.join(home, 'run', 'endpoint.json'), 'utf8')) as {
      control: string;
    };
    const asking = createConnection(socket);
    const terminals = { stdin: false, stdout: false, stderr: false };
    asking.write(
      `${JSON.stringify({ postern: 1, secret, run: { identity: [], argv: ['list'], env: {}, terminals } })}\n`,
    );
    expect(await readAnswer(asking)).toBe('');
  });
});

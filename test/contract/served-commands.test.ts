import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bearsOnAnswer, identityOf } from '../../main/cli/start/this-process.ts';
import { askToYield } from '../../main/host/gateway/gateway-holder.ts';
import { frame } from '../../main/net/endpoint/command-frames.ts';
import { startAskingServer } from '../support/asking-server.ts';
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
import { inputSchema, sendJson, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest } from '../support/wire-server.ts';

/** Commands that a running Postern runs for the process that they were typed in, and what it never runs for anybody. */

const tools = ['echo', 'fails', 'numbers'].map((name) => ({
  name,
  inputSchema,
  ...(name === 'echo' && { annotations: { readOnlyHint: true } }),
}));

function answer(request: WireRequest): boolean {
  const { method, params } = request.message;
  if (method !== 'tools/call') return false;
  const { name, arguments: given } = params as { name: string; arguments: object };
  const said = textResult(JSON.stringify(given));
  if (name === 'echo') sendJson(request, said);
  else if (name === 'fails') sendJson(request, { result: { ...said.result, isError: true } });
  else if (name === 'numbers') {
    const exact = '{"result":{"content":[],"structuredContent":{"id":12345678901234567890,"one":1.0}},';
    const id = JSON.stringify(request.message.id);
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(`${exact}"jsonrpc":"2.0","id":${id}}`);
  } else return false;
  return true;
}

async function connectWire(onRequest = answer) {
  const server = await startWireServer('legacy', tools, onRequest);
  const home = temporaryFolder();
  const connected = await runPostern(['connect', server.url, '--local', '--name', 'x', '--json'], { home });
  expect(connected.code).toBe(0);
  const count = (method: string): number => server.methods().filter((each) => each === method).length;
  return { server, home, sessions: () => count('initialize'), calls: () => count('tools/call') };
}

async function serve(home: string): Promise<PosternProcess> {
  const serving = startPostern(['serve', '--json'], { home });
  await serving.waitFor(/"event":"serving"/u);
  return serving;
}

/** What whoever typed the command gets of it. */
const gotten = ({ code, stdout, stderr }: PosternResult) => ({ code, stdout, stderr });

/** Stands where a Postern runs that answers nothing; counts who comes. */
async function standIn(home: string, run = path.join(home, 'run')) {
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const endpoint = path.join(run, 'endpoint.json');
  writeFileSync(endpoint, JSON.stringify({ control: 'a'.repeat(64) }), { mode: 0o600 });
  let came = 0;
  const server = createServer((socket) => {
    came += 1;
    socket.on('error', () => {}).resume();
  });
  const socket = path.join(run, 'control.sock');
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  chmodSync(socket, 0o600);
  onTestFinished(() => void server.close());
  return { came: () => came, endpoint, socket };
}

describe('a command that a running Postern runs', () => {
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

  it('says and ends as it would by itself, to the byte', async () => {
    const { home, sessions } = await connectWire();
    const all = async (): Promise<object[]> => {
      const results: object[] = [];
      for (const [words, options] of typed)
        results.push({ words, ...gotten(await runPostern(words, { home, ...options })) });
      return results;
    };
    const alone = await all();
    const before = sessions();
    await serve(home);
    expect(await all()).toEqual(alone);
    expect(sessions() - before).toBeLessThan(before / 3);
  });

  it('sends a call and nothing else, in the session of the one before', async () => {
    const { home, server } = await connectWire();
    await serve(home);
    const call = () => runPostern(['call', 'x', 'echo', 'text=hi'], { home });
    await call();
    const before = server.came.length;
    expect(await call()).toMatchObject({ code: 0, stdout: '{"text":"hi"}' });
    expect(server.methods().slice(before)).toEqual(['tools/call']);
    // One that may change something is compared with what it takes now.
    await runPostern(['call', 'x', 'numbers', 'text=hi'], { home });
    expect(server.methods().slice(before + 1)).toEqual(['tools/list', 'tools/call']);
  });

  it('reads files where it was typed', async () => {
    const { home } = await connectWire();
    await serve(home);
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'note.txt'), 'of a file');
    const { stdout } = await runPostern(['call', 'x', 'echo', 'text=@note.txt'], { home, cwd });
    expect(JSON.parse(stdout)).toEqual({ text: 'of a file' });
  });

  it('is stopped by Ctrl-C, which its server is told', async () => {
    const asked = Promise.withResolvers<WireRequest>();
    const { home, server } = await connectWire((request) => {
      if (request.message.method !== 'tools/call') return false;
      asked.resolve(request);
      return true;
    });
    await serve(home);
    const call = startPostern(['call', 'x', 'echo', '--json'], { home });
    const { message } = await asked.promise;
    call.kill('SIGINT');
    expect(await call.ended).toMatchObject({ code: 130, last: { error: { code: 'CALL_INTERRUPTED' } } });
    const cancelled = server.came.find((each) => each.message.method === 'notifications/cancelled');
    expect(cancelled?.message.params?.requestId).toBe(message.id);
  });

  it('says that it may have done its work where Postern is killed meanwhile, and does it no second time', async () => {
    const asked = Promise.withResolvers<void>();
    const { home, calls } = await connectWire((request) => {
      if (request.message.method !== 'tools/call') return false;
      asked.resolve();
      return true;
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', '--json'], { home });
    await asked.promise;
    serving.kill('SIGKILL');
    expect(await call.ended).toMatchObject({ code: 1, last: { error: { code: 'COMMAND_LOST' } } });
    expect(calls()).toBe(1);
  });

  it('has a session to itself, so that nothing of another command reaches it', async () => {
    const held: WireRequest[] = [];
    const both = Promise.withResolvers<void>();
    const { home, sessions } = await connectWire((request) => {
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

  it('goes on to its end while a window takes over from the service', async () => {
    const asked = Promise.withResolvers<WireRequest>();
    const { home } = await connectWire((request) => {
      if (request.message.method !== 'tools/call') return false;
      asked.resolve(request);
      return true;
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', 'text=hi'], { home });
    const request = await asked.promise;
    await askToYield(home);
    // Another one can serve.
    const next = await serve(home);
    answer(request);
    expect(await call.ended).toMatchObject({ code: 0, stdout: '{"text":"hi"}' });
    expect((await serving.ended).code).toBe(0);
    next.kill('SIGTERM');
    await next.ended;
  });

  it('can be ended where Postern does not answer any more', async () => {
    const asked = Promise.withResolvers<void>();
    const { home } = await connectWire((request) => {
      if (request.message.method === 'tools/call') asked.resolve();
      return request.message.method === 'tools/call';
    });
    const serving = await serve(home);
    const call = startPostern(['call', 'x', 'echo', 'text=hi'], { home });
    await asked.promise;
    serving.kill('SIGSTOP');
    onTestFinished(() => serving.kill('SIGCONT'));
    call.kill('SIGINT');
    call.kill('SIGTERM');
    expect((await call.ended).code).toBe(130);
  });

  it('asks what a server asks on the terminal where it was typed', async () => {
    const { url } = await startAskingServer();
    const home = temporaryFolder();
    await runPostern(['connect', url, '--local', '--name', 'x', '--json'], { home });
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

describe('a command runs by itself', () => {
  it.each([
    ['whose time zone is another one', { TZ: 'Pacific/Auckland' }],
    ['that goes through another proxy', { NO_PROXY: 'other.example' }],
  ])('%s', async (_what, env) => {
    const { home, sessions } = await connectWire();
    await serve(home);
    const call = () => runPostern(['call', 'x', 'echo', 'text=hi'], { home, env });
    await call();
    const before = sessions();
    expect((await call()).code).toBe(0);
    expect(sessions()).toBe(before + 1);
  });

  it('where Postern was killed and its sockets are still there', async () => {
    const { home } = await connectWire();
    const serving = await serve(home);
    serving.kill('SIGKILL');
    await serving.ended.catch(() => {});
    expect(await runPostern(['call', 'x', 'echo', 'text=hi'], { home })).toMatchObject({ code: 0 });
  });

  it('where the Postern that runs takes it and does not answer', async () => {
    const { home } = await connectWire();
    const other = await standIn(home);
    expect(await runPostern(['list', '--json'], { home })).toMatchObject({ code: 0 });
    expect(other.came()).toBe(1);
  });

  it.each(['token', 'exec'])('that hands out a secret: %s', async (command) => {
    const { home } = await connectWire();
    const other = await standIn(home);
    await runPostern([command, 'x', ...(command === 'exec' ? ['--', 'true'] : [])], { home });
    expect(other.came()).toBe(0);
  });

  it.each(['endpoint', 'socket', 'folder'] as const)(
    'where others of this computer may write what leads to the other one: %s',
    async (which) => {
      const { home } = await connectWire();
      const other = await standIn(home);
      chmodSync(which === 'folder' ? path.dirname(other.socket) : other[which], 0o777);
      expect(await runPostern(['list', '--json'], { home })).toMatchObject({ code: 0 });
      expect(other.came()).toBe(0);
    },
  );
});

describe('a running Postern', () => {
  async function ask(
    home: string,
    change: (said: { secret: string; run: Record<string, unknown> }) => void,
    ...typed: Buffer[]
  ) {
    const { control: secret } = JSON.parse(readFileSync(path.join(home, 'run', 'endpoint.json'), 'utf8')) as {
      control: string;
    };
    const terminals = { stdin: false, stdout: false, stderr: false };
    const identity = identityOf({ packaged: false, channel: 'dev' });
    const env = Object.fromEntries(
      Object.entries(commandEnvironment({ home })).filter(([name]) => bearsOnAnswer(name)),
    );
    const said = { postern: 1, secret, run: { identity, argv: ['list'], env, terminals } };
    change(said);
    const socket = createConnection(path.join(home, 'run', 'control.sock'));
    socket.on('error', () => {}).write(`${JSON.stringify(said)}\n`);
    for (const piece of [frame('begin'), ...typed]) socket.write(piece);
    return await readAnswer(socket);
  }

  /** A connection that is closed before all its input was read is reset: that is no answer either. */
  const readAnswer = (socket: Socket): Promise<string> =>
    readText(socket).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') return '';
      throw error;
    });

  it('runs a command of its user', async () => {
    const { home } = await connectWire();
    await serve(home);
    expect(await ask(home, () => {})).toContain('NAME');
  });

  it('hangs up on one that goes on typing after its end', async () => {
    const { home } = await connectWire();
    await serve(home);
    const said = Array.from({ length: 160 }, () => frame('input', Buffer.alloc(65_536, ' ')));
    const call = (each: { run: Record<string, unknown> }) => void (each.run['argv'] = ['call', 'x', 'echo', '-']);
    expect(await ask(home, call, ...said)).toContain('longer than');
  });

  it.each([
    ['that does not show its secret', (said: { secret: string }) => void (said.secret = 'b'.repeat(64))],
    ['of another version', (said: { run: Record<string, unknown> }) => void (said.run['identity'] = ['9.9.9'])],
    ['that it does not know', (said: { run: Record<string, unknown> }) => void (said.run['argv'] = ['nonsense'])],
    ['that hands out a secret', (said: { run: Record<string, unknown> }) => void (said.run['argv'] = ['token', 'x'])],
    [
      'that asks a user elsewhere',
      (said: { run: Record<string, unknown> }) => void (said.run['argv'] = ['tools', 'x', '--sign-in', 'browser']),
    ],
  ])('does nothing for a command %s', async (_which, change) => {
    const { home } = await connectWire();
    await serve(home);
    expect(await ask(home, change)).toBe('');
  });

  it('takes no command at the socket of AI apps', async () => {
    const { home } = await connectWire();
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

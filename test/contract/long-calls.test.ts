import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand, startPostern } from '../support/postern-process.ts';
import { supportScript } from '../support/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { event, inputSchema, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest, WireServer } from '../support/wire-server.ts';

/** Tools that take their time: what the command shows of them, how long it waits, and what the server is told. */

const eras = ['legacy', 'modern'] as const;
const tokenOf = ({ text }: WireRequest): unknown =>
  (JSON.parse(text) as { params: { _meta?: { progressToken?: unknown } } }).params._meta?.progressToken;

async function connect(era: (typeof eras)[number], answer: (request: WireRequest) => void) {
  const server = await startWireServer(era, [{ name: 'slow', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    request.response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    answer(request);
    return true;
  });
  const home = temporaryFolder();
  expect(await runPostern(['connect', server.url, '--local', '--name', 'x', '--json'], { home })).toMatchObject({
    code: 0,
  });
  return { server, home };
}

const tell = (request: WireRequest, params: object): void => {
  const progressToken = tokenOf(request);
  request.response.write(event({ method: 'notifications/progress', params: { progressToken, ...params } }));
};

describe('a tool that takes longer than somebody waits', () => {
  it.each(eras)('EL-01 is given up after --timeout, whatever it tells, and its server knows (%s wire)', async (era) => {
    const left = Promise.withResolvers<void>();
    const { server, home } = await connect(era, (request) => {
      let progress = 0;
      const timer = setInterval(() => tell(request, { progress: (progress += 1) }), 2);
      request.response.on('close', () => {
        clearInterval(timer);
        left.resolve();
      });
    });
    const { code, last, lines } = await runPostern(['call', 'x', 'slow', '--timeout', '1.2', '--json'], { home });
    expect({ code, error: last['error'] }).toMatchObject({
      code: 1,
      error: { code: 'CALL_TIMED_OUT', stage: 'connection', retryable: false },
    });
    expect(lines.filter((line) => line['event'] === 'progress').length).toBeLessThan(4);
    await left.promise;
    const cancelled = server.came.filter(({ message }) => message.method === 'notifications/cancelled');
    const call = server.came.find(({ message }) => message.method === 'tools/call');
    expect(cancelled.map(({ message }) => message.params?.requestId)).toEqual(
      era === 'legacy' ? [call?.message.id] : [],
    );
  });
});

describe('a tool of which nothing is heard for more than a minute', () => {
  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(supportScript('long-timers.ts')).href}`,
    POSTERN_TEST_TIME: '61',
  };

  it.each(['with --json', 'where standard error is no terminal'])('is given up %s', async (how) => {
    const asked = Promise.withResolvers<WireRequest>();
    const { home } = await connect('legacy', asked.resolve);
    const call = startPostern(['call', 'x', 'slow', ...(how === 'with --json' ? ['--json'] : [])], { home, env });
    await asked.promise;
    call.kill('SIGUSR2');
    const { code, stdout, stderr } = await call.ended;
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('CALL_TIMED_OUT');
  });

  it('is waited for where the user sees it, and can stop it', async () => {
    const asked = Promise.withResolvers<WireRequest>();
    const { home } = await connect('legacy', asked.resolve);
    const words = ['sh', '-c', 'echo process $$; exec "$@"', 'sh', ...posternCommand('call', 'x', 'slow')];
    const call = startCommand(onTerminal(...words), { home, env });
    const [, id] = await call.waitFor(/process (\d+)/u);
    const request = await asked.promise;
    process.kill(Number(id), 'SIGUSR2');
    tell(request, { progress: 1, message: 'after a minute' });
    await call.waitFor(/after a minute/u);
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    const { code, stdout } = await call.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().endsWith('Done')).toBe(true);
  });
});

describe.each(eras)('a tool that gets an hour by --timeout (%s wire)', (era) => {
  /** A call of which nothing is heard, in a program whose time goes on by `seconds` at each SIGUSR2. */
  async function callForAnHour(...seconds: number[]) {
    const asked = Promise.withResolvers<WireRequest>();
    const { server, home } = await connect(era, asked.resolve);
    const options = `--import=${pathToFileURL(supportScript('long-timers.ts')).href}`;
    const env = { NODE_OPTIONS: options, POSTERN_TEST_TIME: seconds.join(' ') };
    const call = startPostern(['call', 'x', 'slow', '--timeout', '3600', '--json'], { home, env });
    const request = await asked.promise;
    call.kill('SIGUSR2');
    return { server, call, request };
  }
  const cancelled = ({ came }: WireServer): unknown[] =>
    came
      .filter(({ message }) => message.method === 'notifications/cancelled')
      .map(({ message }) => message.params?.requestId);

  it('may answer in its last second', async () => {
    const { server, call, request } = await callForAnHour(3_599);
    // What is heard after the signal says that its time has passed.
    tell(request, { progress: 1 });
    await call.waitFor(/"progress":1/u);
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    expect(await call.ended).toMatchObject({ code: 0, last: { content: [{ text: 'Done' }] } });
    expect(cancelled(server)).toEqual([]);
  });

  it('is given up when it is over, and its server is told', async () => {
    const { server, call, request } = await callForAnHour(3_599, 1);
    const left = new Promise((resolve) => request.response.once('close', resolve));
    tell(request, { progress: 1 });
    await call.waitFor(/"progress":1/u);
    call.kill('SIGUSR2');
    const { code, last } = await call.ended;
    expect({ code, error: last['error'] }).toMatchObject({ code: 1, error: { code: 'CALL_TIMED_OUT' } });
    expect(JSON.stringify(last)).toContain('3600');
    await left;
    expect(cancelled(server)).toEqual(era === 'legacy' ? [request.message.id] : []);
  });

  it('is stopped by Ctrl-C, and its server is told', async () => {
    const { server, call, request } = await callForAnHour();
    const left = new Promise((resolve) => request.response.once('close', resolve));
    call.kill('SIGINT');
    expect(await call.ended).toMatchObject({ code: 130, last: { error: { code: 'CALL_INTERRUPTED' } } });
    await left;
    expect(cancelled(server)).toEqual(era === 'legacy' ? [request.message.id] : []);
  });
});

describe('how far a tool is', () => {
  it('comes as lines for programs, fit to print', async () => {
    const { home } = await connect('legacy', (request) => {
      tell(request, { progress: 1, total: 4, message: 'First\u001b[2J\u202enext' });
      request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    });
    const { lines, code } = await runPostern(['call', 'x', 'slow', '--json'], { home });
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ event: 'progress', progress: 1, total: 4 });
    expect(lines[0]?.['message']).not.toMatch(/[\u001b\u202e]/u);
  });

  it('shows on a terminal while it lasts, and the answer stands alone', async () => {
    let finish = (): void => {};
    const { home } = await connect('legacy', (request) => {
      tell(request, { progress: 1, total: 4, message: 'Packing \u001b]0;x\u0007boxes' });
      finish = () => request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    });
    const call = startCommand(onTerminal(...posternCommand('call', 'x', 'slow')), { home });
    await call.waitFor(/Calling slow {2}25 % {2}Packing [^\u001b\u0007]*boxes/u);
    finish();
    const { stdout, code } = await call.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().endsWith('Done')).toBe(true);
  });
});

it.each(eras)('EL-09 a server writes a hundred short lines into one call, and nothing else (%s wire)', async (era) => {
  const { server, home } = await connect(era, (request) => {
    const say = (data: unknown): void => {
      request.response.write(event({ method: 'notifications/message', params: { level: 'info', data } }));
    };
    say('a\u001b[2Jb');
    for (let line = 0; line < 1_000; line += 1) say({ line });
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
  });
  const { lines, code } = await runPostern(['call', 'x', 'slow', '--json'], { home });
  const logged = lines.filter((line) => line['event'] === 'log');
  expect(code).toBe(0);
  expect(logged).toHaveLength(100);
  expect(logged[0]).toMatchObject({ level: 'info' });
  expect(logged[0]?.['text']).not.toContain('\u001b');
  const call = server.came.find(({ message }) => message.method === 'tools/call');
  expect(call?.text.includes('logLevel')).toBe(era === 'modern');
});

it.each(eras)('a server is told how much of its log is wanted (%s wire)', async (era) => {
  const { server, home } = await connect(era, ({ message, response }) =>
    response.end(event({ id: message.id, ...textResult('Done') })),
  );
  const call = async (...options: string[]) => {
    const before = server.came.length;
    expect(await runPostern(['call', 'x', 'slow', '--json', ...options], { home })).toMatchObject({ code: 0 });
    return server.came.slice(before).map(({ text }) => text);
  };
  const isSaid = (text: string): boolean =>
    era === 'modern'
      ? /logLevel"?:"warning"/u.test(text)
      : text.includes('logging/setLevel') && text.includes('warning');
  expect((await call('--log-level', 'warning')).filter(isSaid)).toHaveLength(1);
  expect((await call()).filter((text) => text.includes('setLevel'))).toEqual([]);
  const ended = await startPostern(['call', 'x', 'slow', '--log-level', 'loud', '--json'], { home }).ended;
  expect(ended).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
});

it.each(['0', '21601', 'ten'])('waits for no %s seconds', async (seconds) => {
  const ended = await startPostern(['call', 'x', 'slow', '--timeout', seconds, '--json'], {
    home: temporaryFolder(),
  }).ended;
  expect(ended).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
});

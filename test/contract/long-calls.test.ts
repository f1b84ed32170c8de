import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../support/postern-process.ts';
import { supportScript } from '../support/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { event, inputSchema, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest, RawServer } from '../support/raw-mcp-server.ts';

/** Slow tools: what the command shows of them, how long it waits, and how the server is notified. */

const revisions = ['session', 'stateless'] as const;
const tokenOf = ({ text }: RawRequest): unknown =>
  (JSON.parse(text) as { params: { _meta?: { progressToken?: unknown } } }).params._meta?.progressToken;

async function connect(protocol: (typeof revisions)[number], respond: (request: RawRequest) => void) {
  const server = await startRawServer(protocol, [{ name: 'slow', inputSchema }], (request) => {
    if (request.message.method !== 'tools/call') return false;
    request.response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    respond(request);
    return true;
  });
  const home = temporaryFolder();
  expect(await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home })).toMatchObject({
    code: 0,
  });
  return { server, home };
}

const sendProgress = (request: RawRequest, params: object): void => {
  const progressToken = tokenOf(request);
  request.response.write(event({ method: 'notifications/progress', params: { progressToken, ...params } }));
};

describe('a tool that takes longer than the caller waits', () => {
  it.each(revisions)(
    'EL-01 is abandoned after --timeout despite its progress, and its server is notified (%s)',
    async (protocol) => {
      const closed = Promise.withResolvers<void>();
      const { server, home } = await connect(protocol, (request) => {
        let progress = 0;
        const timer = setInterval(() => sendProgress(request, { progress: (progress += 1) }), 2);
        request.response.on('close', () => {
          clearInterval(timer);
          closed.resolve();
        });
      });
      const { code, last, lines } = await runInProcess(['call', 'x', 'slow', '--timeout', '1.2', '--json'], { home });
      expect({ code, error: last['error'] }).toMatchObject({
        code: 1,
        error: { code: 'CALL_TIMED_OUT', stage: 'connection', retryable: false },
      });
      expect(lines.filter((line) => line['event'] === 'progress').length).toBeLessThan(4);
      await closed.promise;
      const cancelled = server.received.filter(({ message }) => message.method === 'notifications/cancelled');
      const call = server.received.find(({ message }) => message.method === 'tools/call');
      expect(cancelled.map(({ message }) => message.params?.requestId)).toEqual(
        protocol === 'session' ? [call?.message.id] : [],
      );
    },
  );
});

describe('a tool that is silent for more than a minute', () => {
  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(supportScript('long-timers.ts')).href}`,
    POSTERN_TEST_TIME: '61',
  };

  it.each(['with --json', 'where standard error is no terminal'])('is abandoned %s', async (how) => {
    const requested = Promise.withResolvers<RawRequest>();
    const { home } = await connect('session', requested.resolve);
    const call = startPostern(['call', 'x', 'slow', ...(how === 'with --json' ? ['--json'] : [])], { home, env });
    await requested.promise;
    call.kill('SIGUSR2');
    const { code, stdout, stderr } = await call.ended;
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('CALL_TIMED_OUT');
  });

  it('is waited for while the user sees it, and can be canceled', async () => {
    const requested = Promise.withResolvers<RawRequest>();
    const { home } = await connect('session', requested.resolve);
    const words = ['sh', '-c', 'echo process $$; exec "$@"', 'sh', ...posternCommand('call', 'x', 'slow')];
    const call = startCommand(onTerminal(...words), { home, env });
    const [, id] = await call.waitFor(/process (\d+)/u);
    const request = await requested.promise;
    process.kill(Number(id), 'SIGUSR2');
    sendProgress(request, { progress: 1, message: 'after a minute' });
    await call.waitFor(/after a minute/u);
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    const { code, stdout } = await call.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().endsWith('Done')).toBe(true);
  });
});

describe.each(revisions)('a tool that gets an hour by --timeout (%s)', (protocol) => {
  /** A silent call, in a process whose clock advances by `seconds` at each SIGUSR2. */
  async function callForAnHour(...seconds: number[]) {
    const requested = Promise.withResolvers<RawRequest>();
    const { server, home } = await connect(protocol, requested.resolve);
    const options = `--import=${pathToFileURL(supportScript('long-timers.ts')).href}`;
    const env = { NODE_OPTIONS: options, POSTERN_TEST_TIME: seconds.join(' ') };
    const call = startPostern(['call', 'x', 'slow', '--timeout', '3600', '--json'], { home, env });
    const request = await requested.promise;
    call.kill('SIGUSR2');
    return { server, call, request };
  }
  const cancelled = ({ received }: RawServer): unknown[] =>
    received
      .filter(({ message }) => message.method === 'notifications/cancelled')
      .map(({ message }) => message.params?.requestId);

  it('may respond in its last second', async () => {
    const { server, call, request } = await callForAnHour(3_599);
    // Anything received after the signal shows that its time has passed.
    sendProgress(request, { progress: 1 });
    await call.waitFor(/"progress":1/u);
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    expect(await call.ended).toMatchObject({ code: 0, last: { content: [{ text: 'Done' }] } });
    expect(cancelled(server)).toEqual([]);
  });

  it('is abandoned when it is over, and its server is notified', async () => {
    const { server, call, request } = await callForAnHour(3_599, 1);
    const closed = new Promise((resolve) => request.response.once('close', resolve));
    sendProgress(request, { progress: 1 });
    await call.waitFor(/"progress":1/u);
    call.kill('SIGUSR2');
    const { code, last } = await call.ended;
    expect({ code, error: last['error'] }).toMatchObject({ code: 1, error: { code: 'CALL_TIMED_OUT' } });
    expect(JSON.stringify(last)).toContain('3600');
    await closed;
    expect(cancelled(server)).toEqual(protocol === 'session' ? [request.message.id] : []);
  });

  it('is canceled by Ctrl-C, and its server is notified', async () => {
    const { server, call, request } = await callForAnHour();
    const closed = new Promise((resolve) => request.response.once('close', resolve));
    call.kill('SIGINT');
    expect(await call.ended).toMatchObject({ code: 130, last: { error: { code: 'CALL_INTERRUPTED' } } });
    await closed;
    expect(cancelled(server)).toEqual(protocol === 'session' ? [request.message.id] : []);
  });
});

describe('the progress of a tool', () => {
  it('is printed as lines for programs, safe to print', async () => {
    const { home } = await connect('session', (request) => {
      sendProgress(request, { progress: 1, total: 4, message: 'First\u001b[2J\u202enext' });
      request.response.end(event({ id: request.message.id, ...textResult('Done') }));
    });
    const { lines, code } = await runInProcess(['call', 'x', 'slow', '--json'], { home });
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ event: 'progress', progress: 1, total: 4 });
    expect(lines[0]?.['message']).not.toMatch(/[\u001b\u202e]/u);
  });

  it('is shown on a terminal only while it runs; then only the result is printed', async () => {
    let finish = (): void => {};
    const { home } = await connect('session', (request) => {
      sendProgress(request, { progress: 1, total: 4, message: 'Packing \u001b]0;x\u0007boxes' });
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

it.each(revisions)('EL-09 a server can log a hundred short lines into one call, and no more (%s)', async (protocol) => {
  const { server, home } = await connect(protocol, (request) => {
    const sendLog = (data: unknown): void => {
      request.response.write(event({ method: 'notifications/message', params: { level: 'info', data } }));
    };
    sendLog('a\u001b[2Jb');
    for (let line = 0; line < 1_000; line += 1) sendLog({ line });
    request.response.end(event({ id: request.message.id, ...textResult('Done') }));
  });
  const { lines, code } = await runInProcess(['call', 'x', 'slow', '--json'], { home });
  const logged = lines.filter((line) => line['event'] === 'log');
  expect(code).toBe(0);
  expect(logged).toHaveLength(100);
  expect(logged[0]).toMatchObject({ level: 'info' });
  expect(logged[0]?.['text']).not.toContain('\u001b');
  const call = server.received.find(({ message }) => message.method === 'tools/call');
  expect(call?.text.includes('logLevel')).toBe(protocol === 'stateless');
});

it.each(revisions)('a server gets the wanted log level (%s)', async (protocol) => {
  const { server, home } = await connect(protocol, ({ message, response }) =>
    response.end(event({ id: message.id, ...textResult('Done') })),
  );
  const call = async (...options: string[]) => {
    const before = server.received.length;
    expect(await runInProcess(['call', 'x', 'slow', '--json', ...options], { home })).toMatchObject({ code: 0 });
    return server.received.slice(before).map(({ text }) => text);
  };
  const isLogged = (text: string): boolean =>
    protocol === 'stateless'
      ? /logLevel"?:"warning"/u.test(text)
      : text.includes('logging/setLevel') && text.includes('warning');
  expect((await call('--log-level', 'warning')).filter(isLogged)).toHaveLength(1);
  expect((await call()).filter((text) => text.includes('setLevel'))).toEqual([]);
  const ended = await runInProcess(['call', 'x', 'slow', '--log-level', 'loud', '--json'], { home });
  expect(ended).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
});

it.each(['0', '21601', 'ten'])('rejects a timeout of %s seconds', async (seconds) => {
  const ended = await runInProcess(['call', 'x', 'slow', '--timeout', seconds, '--json'], { home: temporaryFolder() });
  expect(ended).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
});

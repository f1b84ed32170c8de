import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { freePort } from '../../support/free-port.ts';
import { openSocketApp } from './line-app.ts';
import { memoryOf } from './memory-of.ts';
import { initializeParams } from './app.ts';

/**
 * How an app or server that floods the gateway affects another app. Run directly, it prints a table of all attacks, or
 * of the named ones: node test/bench/gateway/measure-floods.ts [NAME...]
 */

const postern = path.join(import.meta.dirname, '../../../bin/postern.js');
const secret = 'a-secret-of-the-app-that-floods-and-of-no-other';

export interface Flood {
  readonly name: string;
  /** Milliseconds of the other app's slowest call meanwhile. */
  readonly slowest: number;
  /** Longest block of the gateway's event loop in milliseconds: more reliable on a busy computer. */
  readonly blocked: number;
  /** CPU seconds of the gateway. */
  readonly processor: number;
  /** Peak memory of the gateway in megabytes. */
  readonly memory: number;
  readonly failed: number;
  /** The other app's calls. */
  readonly calls: number;
}

interface Around {
  readonly socket: string;
  readonly port: number;
  readonly app: string;
  /** IDs and HTTP aliases of the attacking server, and of a server that never answers `hold`. */
  readonly server: string;
  readonly good: string;
}

type Attack = (around: Around) => Promise<void>;

const request = (id: number | string, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const call = (id: number, name: string, more: object = {}): string =>
  request(id, 'tools/call', { name, arguments: {}, ...more });

/** A session over the pipe. Output of the gateway is discarded or left unread. */
async function open({ socket: at, app }: Around, server: string, reads = true): Promise<Socket> {
  const socket = connect(at).on('error', () => {});
  socket.write(`${JSON.stringify({ postern: 1, open: { server, app } })}\n`);
  socket.write(
    request('hello', 'initialize', { ...initializeParams, capabilities: { elicitation: {}, sampling: {} } }),
  );
  await once(socket, 'data');
  socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  if (reads) socket.resume();
  else socket.pause();
  return socket;
}

async function drained(writer: Socket | ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(writer, 'drain', { signal }), once(writer, 'close', { signal })]).catch(() => {});
  over.abort();
}

/** Writes endlessly, as fast as it is accepted. */
async function pour(socket: Socket, text: (count: number) => string | Buffer, most = Infinity): Promise<void> {
  for (let count = 0; count < most && !socket.destroyed; count += 1) {
    if (!socket.write(text(count))) {
      await drained(socket);
      // Lets other tasks of this process run.
    } else if (count % 100 === 0) await turn();
  }
  await once(socket, 'close');
}

const sessions = async (count: number, one: (at: number) => Promise<unknown>): Promise<void> =>
  void (await Promise.all(Array.from({ length: count }, (_, at) => one(at))));

/** Calls one tool of the attacking server in several sessions. */
const asks =
  (tool: string, { count = 4, each = 1, reads = true, server = 'server' } = {}): Attack =>
  async (around) =>
    await sessions(count, async () => {
      const socket = await open(around, server === 'collection' ? '+all' : around.server, reads);
      const name = server === 'collection' ? `evil_${tool}` : tool;
      for (let id = 1; id <= each; id += 1) socket.write(call(id, name, { _meta: { progressToken: id } }));
      await once(socket, 'close');
    });

async function post({ port }: Around, alias: string, body: string, fields: object = {}): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp/${alias}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...fields,
    },
    body,
    signal: AbortSignal.timeout(2_000),
  }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => {});
}

const byHttp =
  (count: number, body: (at: number) => string, fields: object = {}, alias = 'good'): Attack =>
  async (around) =>
    await sessions(count, async () => {
      for (let at = 0; ; at += 1) await post(around, alias, body(at), fields);
    });

const rawHttp =
  (count: number, head: string, rest: string): Attack =>
  async ({ port }) =>
    await sessions(count, async () => {
      for (;;) {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        socket.resume().write(head);
        const more = setInterval(() => void (rest !== '' && socket.write(rest)), 5);
        await Promise.race([once(socket, 'close'), pause(2_000)]);
        clearInterval(more);
        socket.destroy();
      }
    });

let objects: string | undefined;
const manyObjects = (): string => (objects ??= `[${'{},'.repeat(494_999)}{}]`);
const large = (at: number): string =>
  `{"jsonrpc":"2.0","id":${at},"method":"tools/call","params":{"name":"hold","arguments":{"all":${manyObjects()}}}}\n`;
const newer = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'flood', version: '1' },
  },
};
const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'hold' };

const fromApp =
  (count: number, text: (at: number) => string | Buffer): Attack =>
  async (around) =>
    await sessions(count, async () => await pour(await open(around, around.good), text));

const notification = (method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;

/** Each attack runs until it is terminated. */
const attacks: Readonly<Record<string, Attack>> = {
  'app: 8 sessions with 495,000 objects': fromApp(8, large),
  'app: the same by HTTP': byHttp(32, large, stateless),
  'app: the same to a collection': async (around) =>
    await sessions(
      8,
      async () => await pour(await open(around, '+all'), (at) => large(at).replace('"hold"', '"good_hold"')),
    ),
  'app: bodies of 15 MB': fromApp(
    4,
    (at) => `{"jsonrpc":"2.0","id":${at},"method":"x","params":{"x":"${fifteen()}"}}\n`,
  ),
  'app: bodies of 15 MB by HTTP': byHttp(
    8,
    (at) => `{"jsonrpc":"2.0","id":${at},"method":"x","params":{"x":"${fifteen()}"}}`,
  ),
  'app: messages without an end': async (around) =>
    await sessions(40, async () => await pour(await open(around, around.good), () => 'x'.repeat(65_536), 100)),
  'app: deep nesting': fromApp(
    8,
    (at) => `{"jsonrpc":"2.0","id":${at},"method":"x","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`,
  ),
  'app: tiny messages': fromApp(8, () => '{}\n'.repeat(1_000)),
  'app: batches': fromApp(8, () => `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(999)}1]\n`),
  'app: pings': fromApp(8, (at) => request(at, 'ping')),
  'app: calls': fromApp(8, (at) => call(at, 'add')),
  'app: cancellations': fromApp(
    8,
    (at) => `${call(at, 'hold')}${notification('notifications/cancelled', { requestId: at })}`,
  ),
  'app: cancellations of nothing': fromApp(8, (at) => notification('notifications/cancelled', { requestId: at })),
  'app: notifications': fromApp(8, () => notification('notifications/roots/list_changed')),
  'app: completions': fromApp(8, (at) =>
    request(at, 'completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } }),
  ),
  'app: requests to a collection': async (around) =>
    await sessions(8, async () => await pour(await open(around, '+all'), (at) => request(at, 'tools/list'))),
  'app: lists': fromApp(8, (at) => request(at, 'tools/list')),
  'app: pings by HTTP': byHttp(64, (at) => request(at, 'ping', newer), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'ping',
  }),
  'app: heads that never end': rawHttp(200, 'POST /mcp/good HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'),
  'app: large heads': rawHttp(64, `POST /mcp/good HTTP/1.1\r\n${`x-a: ${'y'.repeat(1_000)}\r\n`.repeat(15)}\r\n`, ''),
  'app: wrong secrets': rawHttp(
    64,
    'POST /mcp/good HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer no\r\n\r\n',
    '',
  ),
  'app: half-open connections': async ({ socket }) =>
    await sessions(100, async () => {
      for (;;) {
        const one = connect(socket).on('error', () => {});
        await Promise.race([once(one, 'close'), pause(1_000)]);
        one.destroy();
      }
    }),
  'app: connections that come and go': async (around) =>
    await sessions(8, async () => {
      for (;;) (await open(around, around.good)).destroy();
    }),
  'server: a list of 240,000 tools': async (around) =>
    await sessions(1, async () => {
      const socket = await open(around, around.server);
      for (let id = 1; !socket.destroyed; id += 1) {
        socket.write(request(id, 'tools/list'));
        await once(socket, 'data');
        await pause(500);
      }
    }),
  'server: the same in a collection': async (around) =>
    await sessions(1, async () => {
      const socket = await open(around, '+all');
      for (let id = 1; !socket.destroyed; id += 1) {
        socket.write(request(id, 'tools/list'));
        await once(socket, 'data');
        await pause(500);
      }
    }),
  'server: large answers that nobody reads': asks('big', { count: 20, each: 4, reads: false }),
  'server: large answers that are read': asks('big', { count: 4, each: 2 }),
  'server: answers of half a million objects': asks('objects', { count: 8, each: 4 }),
  'server: progress': asks('progress'),
  'server: progress that nobody reads': asks('progress', { count: 20, reads: false }),
  'server: progress in a collection': asks('progress', { server: 'collection' }),
  'server: log lines': asks('log'),
  'server: log lines in a collection': asks('log', { server: 'collection' }),
  'server: stray answers': asks('stray'),
  'server: stray answers in a collection': asks('stray', { server: 'collection' }),
  'server: questions': asks('questions'),
  'server: questions in a collection': asks('questions', { server: 'collection' }),
  'server: list_changed': asks('changed'),
  'server: list_changed in a collection': asks('changed', { server: 'collection' }),
  'server: cancellations': asks('cancelled'),
  'server: comments without end': asks('comments'),
  'server: an event without end': asks('endless', { count: 8 }),
  'server: deep nesting': asks('deep', { count: 8, each: 8 }),
  'server: a byte at a time': asks('slow', { count: 40, each: 10 }),
};

let text15: string | undefined;
const fifteen = (): string => (text15 ??= 'y'.repeat(15_000_000));

/** Endless streams with which the attacking server answers its tools. */
const streams: Readonly<Record<string, (id: string, count: number) => string>> = {
  progress: (id, count) => notification('notifications/progress', { progressToken: Number(id) || id, progress: count }),
  log: (_id, count) => notification('notifications/message', { level: 'info', data: `line ${count}` }),
  stray: (_id, count) => `{"jsonrpc":"2.0","id":"stray-${count}","result":{"content":[]}}\n`,
  questions: (_id, count) =>
    request(`q${count}`, 'elicitation/create', {
      message: 'What?',
      requestedSchema: { type: 'object', properties: {} },
    }),
  changed: () => notification('notifications/tools/list_changed'),
  cancelled: (_id, count) => notification('notifications/cancelled', { requestId: `q${count}` }),
};

/** A server that never answers `hold`, or an attacking one. */
async function serve(isEvil: boolean): Promise<void> {
  const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
  const evil = [...Object.keys(streams), 'big', 'objects', 'comments', 'endless', 'deep', 'slow'].map((name) =>
    tool(name),
  );
  const many = JSON.stringify({
    tools: Array.from({ length: 240_000 }, (_, at) => ({ name: `tool-${at}`, inputSchema: {} })),
  });
  const handshake = JSON.stringify({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, logging: {}, completions: {} },
    serverInfo: { name: 'flood', version: '1' },
  });
  let isFlooding = false;
  parentPort?.on('message', () => (isFlooding = true));
  const list = (): string =>
    isEvil && isFlooding ? many : JSON.stringify({ tools: isEvil ? evil : [tool('add'), tool('hold')] });
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += text.length < 2_000 ? part : ''));
    incoming.on('end', () => {
      const [, method = ''] = /"method":"([^"]+)"/u.exec(text) ?? [];
      const [, id] = /"id":("[^"]*"|\d+)/u.exec(text) ?? [];
      const [, name = ''] = /"name":"([^"]+)"/u.exec(text) ?? [];
      if (incoming.method !== 'POST') return void response.writeHead(405).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (name === 'hold') return;
      if (isEvil && method === 'tools/call')
        return void harm(response, name, { id, token: /"progressToken":("[^"]*"|\d+)/u.exec(text)?.[1] ?? id });
      const results: Readonly<Record<string, string>> = {
        initialize: handshake,
        ping: '{}',
        'tools/list': list(),
        'tools/call': '{"content":[]}',
        'completion/complete': '{"completion":{"values":[]}}',
      };
      const result = results[method];
      const reply = result === undefined ? '"error":{"code":-32601,"message":"no"}' : `"result":${result}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},${reply}}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

async function harm(
  response: ServerResponse,
  name: string,
  { id, token }: { id: string; token: string },
): Promise<void> {
  const whole = (result: string): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  if (name === 'big') return whole(`{"content":[{"type":"text","text":"${fifteen()}"}]}`);
  if (name === 'objects') return whole(`{"content":[],"structuredContent":{"all":${manyObjects()}}}`);
  if (name === 'deep') return whole(`{"content":[],"_meta":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const put = async (text: string): Promise<void> => {
    if (!response.write(text)) await drained(response);
    else await turn();
  };
  const one = streams[name];
  for (let count = 0; !response.destroyed; count += 100) {
    if (one)
      await put(
        Array.from({ length: 100 }, (_, at) => `data: ${one(token.replaceAll('"', ''), count + at)}\n`).join(''),
      );
    else if (name === 'comments') await put(':\n'.repeat(10_000));
    else if (name === 'endless') await put(`data: ${'z'.repeat(60_000)}\n`);
    else {
      await put('d');
      await pause(10);
    }
  }
}

/** Runs in the gateway: writes the longest event loop delay at each signal. */
const watch = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { monitorEventLoopDelay } from 'node:perf_hooks';
    import { writeFileSync } from 'node:fs';
    if (process.argv.includes('serve')) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      process.on('SIGUSR2', () => {
        const { user, system } = process.cpuUsage();
        writeFileSync(${JSON.stringify(file)}, JSON.stringify({ max: delay.max / 1e6, processor: (user + system) / 1e6 }));
        delay.reset();
      });
    }`)}`;

/** `milliseconds`: duration of each flood. */
export async function measureFloods(
  folder: string,
  names: readonly string[] = Object.keys(attacks),
  { milliseconds = 8_000, say = (_flood: Flood): void => {} } = {},
): Promise<readonly Flood[]> {
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, POSTERN_HOME: folder };
  const aliases = ['good', 'evil'];
  // Each in its own thread: the other app's server must not wait for the attacking one.
  const workers = aliases.map((kind) => new Worker(import.meta.filename, { workerData: { kind } }));
  const urls = (await Promise.all(workers.map((worker) => once(worker, 'message')))).map(([url]) => String(url));
  for (const [at, url] of urls.entries()) {
    const words = [postern, 'connect', url, '--local', '--name', aliases[at] ?? '', '--json'];
    await promisify(execFile)(process.execPath, words, { env });
  }
  const store = openIntegrationStore({ folder, locks: createLocks(folder) });
  const port = await freePort();
  await store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  for (const [at, { id }] of (await store.list()).entries())
    await store.update(id, (stored) => ({ ...stored, alias: aliases[at] }));
  const integrations = (await store.list()).map(({ id }) => id);
  const [good = '', server = ''] = integrations;
  await store.collections.change(() => [{ name: 'all', members: integrations }]);
  const ids = ['a'.repeat(16), 'b'.repeat(16)] as const;
  const secretHash = createHash('sha256').update(secret).digest('hex');
  await store.apps.change(() =>
    ids.map((id, at) => ({
      id,
      app: at === 0 ? 'cursor' : 'zed',
      name: `app ${at}`,
      integrations: [...integrations, '+all'],
      createdAt: 1,
      ...(at === 0 && { secretHash }),
    })),
  );
  const file = path.join(folder, 'watched.json');
  const floods: Flood[] = [];
  try {
    for (const name of names) {
      // Each with its own gateway, so that floods do not affect each other.
      const NODE_OPTIONS = `--max-old-space-size=1024 --import=${watch(file)}`;
      const child = spawn(process.execPath, [postern, 'serve', '--json'], {
        env: { ...env, NODE_OPTIONS },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { socket } = await new Promise<{ socket: string }>((resolve) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (line.includes('"socket"')) resolve(JSON.parse(line) as { socket: string });
        });
      });
      const peek = async (): Promise<{ max: number; processor: number }> => {
        rmSync(file, { force: true });
        child.kill('SIGUSR2');
        for (let tries = 0; tries < 2_000 && child.exitCode === null && child.signalCode === null; tries += 1) {
          try {
            return JSON.parse(readFileSync(file, 'utf8')) as { max: number; processor: number };
          } catch {
            await pause(10);
          }
        }
        return { max: NaN, processor: NaN };
      };
      const bystander = openSocketApp(socket, { server: good, app: ids[1] });
      await bystander.shakeHands();
      for (let count = 0; count < 20; count += 1) await bystander.answerTo('tools/call', { name: 'add' });
      const before = await peek();
      if (name.includes('240,000') || name.includes('the same in a collection')) workers[1]?.postMessage('flood');
      const around: Around = { socket, port, app: ids[0], server, good };
      const attacker = new Worker(import.meta.filename, { workerData: { kind: 'attack', name, around } });
      attacker.on('error', (error) => process.stderr.write(`${name}: ${String(error)}\n`));
      let [slowest, memory, failed, calls] = [0, 0, 0, 0];
      for (const begun = performance.now(); performance.now() - begun < milliseconds; calls += 1) {
        const since = performance.now();
        const outcome = await bystander.answerTo('tools/call', { name: 'add' }).catch(() => 'none');
        if (outcome !== 'result') failed += 1;
        if (child.exitCode !== null || child.signalCode !== null) break;
        slowest = Math.max(slowest, performance.now() - since);
        memory = Math.max(memory, memoryOf(child.pid ?? 0));
      }
      const after = await peek();
      await attacker.terminate();
      const flood = {
        name,
        slowest,
        blocked: after.max,
        processor: after.processor - before.processor,
        memory,
        failed,
        calls,
      };
      floods.push(flood);
      say(flood);
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return floods;
}

function row({ name, slowest, blocked, processor, memory, failed, calls }: Flood): string {
  const cells = [slowest, blocked, processor * 1_000, memory, failed, calls].map((value) =>
    value.toFixed(0).padStart(8),
  );
  return `${name.padEnd(46)}${cells.join('')}`;
}

if (!isMainThread) {
  const { kind, name = '', around } = workerData as { kind: string; name?: string; around?: Around };
  // Not awaited: an attack may wait forever; its thread then idles until it is terminated.
  if (kind !== 'attack') void serve(kind === 'evil');
  else if (around) void attacks[name]?.(around);
} else if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const named = Object.keys(attacks).filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  const folder = mkdtempSync(path.join(tmpdir(), 'floods-'));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(
    `${'while'.padEnd(46)}${['ms', 'blocked', 'cpu ms', 'MB', 'failed', 'calls'].map((head) => head.padStart(8)).join('')}`,
  );
  try {
    const milliseconds = Number(process.env['FLOOD_MS'] ?? 8_000);
    await measureFloods(folder, named, { milliseconds, say: (flood) => print(row(flood)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

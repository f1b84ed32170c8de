import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { memoryOf } from './memory-of.ts';
import { openSocketProgram } from './line-program.ts';

const program = path.join(import.meta.dirname, '../../../bin/postern.js');
/** Milliseconds of each flood. */
const duration = 8_000;

export interface Flood {
  /** Milliseconds of another app's slowest call meanwhile. */
  readonly slowest: number;
  /** Most megabytes of the gateway. */
  readonly memory: number;
  readonly failed: number;
}

/** What another app notices of one that floods (eight sessions, half a million values in each call), and of a server. */
export async function measureFloods(folder: string): Promise<{ readonly app: Flood; readonly server: Flood }> {
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, POSTERN_HOME: folder };
  const worker = new Worker(import.meta.filename, { workerData: { kind: 'servers' } });
  const urls = ((await once(worker, 'message')) as [string[]])[0];
  for (const [at, url] of urls.entries())
    await promisify(execFile)(process.execPath, [program, 'connect', url, '--local', '--name', `s${at}`, '--json'], {
      env,
    });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('flood');
  const store = openIntegrationStore({ folder, locks: createLocks(folder) });
  const integrations = (await store.list()).map(({ id }) => id);
  const ids = ['a'.repeat(16), 'b'.repeat(16)] as const;
  await store.programs.change(() =>
    ids.map((id, at) => ({ id, program: at === 0 ? 'cursor' : 'zed', name: `app ${at}`, integrations, createdAt: 1 })),
  );
  const child = spawn(process.execPath, [program, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const serving = await new Promise<{ socket: string }>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"socket"')) resolve(JSON.parse(line) as { socket: string });
    });
  });
  const measure = async (kind: 'app' | 'server'): Promise<Flood> => {
    const attacker = new Worker(import.meta.filename, {
      workerData: { kind, socket: serving.socket, program: ids[0], server: integrations[kind === 'app' ? 0 : 1] },
    });
    const bystander = openSocketProgram(serving.socket, { server: integrations[0] ?? '', program: ids[1] });
    await bystander.shakeHands();
    const found = { slowest: 0, memory: 0, failed: 0 };
    for (const begun = performance.now(); performance.now() - begun < duration;) {
      const since = performance.now();
      if ((await bystander.answerTo('tools/call', { name: 'add' })) !== 'result') found.failed += 1;
      found.slowest = Math.max(found.slowest, performance.now() - since);
      found.memory = Math.max(found.memory, memoryOf(child.pid ?? 0));
    }
    await attacker.terminate();
    await bystander.close();
    return found;
  };
  try {
    return { app: await measure('app'), server: await measure('server') };
  } finally {
    child.kill('SIGTERM');
    await Promise.all([once(child, 'exit'), worker.terminate()]);
  }
}

interface Attack {
  readonly kind: 'servers' | 'app' | 'server';
  readonly socket: string;
  readonly server: string;
  readonly program: string;
}

/** Two servers: one that never answers `hold`, and one whose list has 240,000 tools once it floods. */
async function serve(): Promise<void> {
  const many = JSON.stringify({
    tools: Array.from({ length: 240_000 }, (_, at) => ({ name: `tool-${at}`, inputSchema: {} })),
  });
  const few =
    '{"tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"hold","inputSchema":{"type":"object"}}]}';
  const handshake =
    '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"flood","version":"1"}}';
  let isFlooding = false;
  parentPort?.on('message', () => (isFlooding = true));
  const urls: string[] = [];
  for (const list of [() => few, () => (isFlooding ? many : few)]) {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += text.length < 2_000 ? part : ''));
      request.on('end', () => {
        const [, method] = /"method":"([^"]+)"/u.exec(text) ?? [];
        const [, id] = /"id":("[^"]*"|\d+)/u.exec(text) ?? [];
        if (text.includes('"hold"')) return;
        if (request.method !== 'POST') return void response.writeHead(405).end();
        if (id === undefined) return void response.writeHead(202).end();
        const results: Readonly<Record<string, string>> = {
          initialize: handshake,
          'tools/list': list(),
          'tools/call': '{"content":[]}',
        };
        const result = results[method ?? ''];
        const answer = result === undefined ? '"error":{"code":-32601,"message":"no"}' : `"result":${result}`;
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},${answer}}`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(urls);
}

async function flood({ kind, socket, server, program: id }: Attack): Promise<void> {
  const all = Array.from({ length: 495_000 }, () => ({}));
  const sessions = Array.from({ length: kind === 'app' ? 8 : 1 }, async () => {
    const session = openSocketProgram(socket, { server, program: id });
    await session.shakeHands();
    for (;;) {
      const asked =
        kind === 'app'
          ? Array.from({ length: 4 }, () => session.answerTo('tools/call', { name: 'hold', arguments: { all } }))
          : [session.answerTo('tools/list')];
      await Promise.race(asked.map((each) => each.catch(() => {})));
    }
  });
  await Promise.all(sessions);
}

if (!isMainThread) {
  const attack = workerData as Attack;
  await (attack.kind === 'servers' ? serve() : flood(attack));
}

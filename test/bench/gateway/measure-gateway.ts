import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'node:net';
import { buildCommandLine } from '../../../scripts/build.ts';
import { editedBundle, memoryTrick } from '../tricks.ts';
import { openSocketApp } from './line-app.ts';
import type { LineApp } from './line-app.ts';
import { memoryOf } from './memory-of.ts';
import { callOf, initializeParams } from './app.ts';
import { commands, type ServedProfile, type Serving } from './served-profile.ts';
import type { ServerProcess } from './server-process.ts';
import { startNativePipe, startNodePipe } from './routes.ts';

const root = path.join(import.meta.dirname, '../../..');
const gigabyte = 1_000_000_000;

async function openSessions(profile: ServedProfile, { socket }: Serving, count: number): Promise<LineApp[]> {
  const { server, apps } = profile;
  const sessions = Array.from({ length: count }, (_, at) =>
    openSocketApp(socket, { server, app: apps[at % apps.length] ?? '' }),
  );
  await Promise.all(sessions.map((session) => session.shakeHands()));
  return sessions;
}

/** The command line without its memory savings: the launcher's malloc settings and the garbage collection. */
export async function measureMemoryWithout(profile: ServedProfile): ReturnType<typeof measureMemory> {
  // Inside the project, because the bundle looks for keytar in node_modules above it.
  const folder = mkdtempSync(path.join(root, 'dist/bench-'));
  try {
    await buildCommandLine(folder, [editedBundle(...memoryTrick.edits)]);
    return await measureMemory(profile, path.join(folder, 'index.js'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** MB of the gateway with 100 idle sessions, and its relative growth 30 s after 1 GB has passed through. */
export async function measureMemory(profile: ServedProfile, start?: string): Promise<{ idle: number; grown: number }> {
  const serving = await profile.serve(start);
  const sessions = await openSessions(profile, serving, 100);
  await Promise.all(sessions.map((session) => session.ask('tools/list')));
  await pause(2_000);
  const idle = memoryOf(serving.pid);
  const size = 4_000_000;
  for (let passed = 0; passed < gigabyte; passed += 2 * size) {
    await Promise.all(sessions.slice(0, 2).map((session) => session.ask('tools/call', callOf(size))));
  }
  await pause(30_000);
  const grown = memoryOf(serving.pid) / idle - 1;
  await Promise.all(sessions.map((session) => session.close()));
  await serving.end('SIGTERM');
  return { idle, grown };
}

/** Milliseconds until `initialize` is answered from the cache while the server is silent. */
export async function measureCachedInitialize(profile: ServedProfile, server: ServerProcess): Promise<number> {
  const app = startNodePipe(profile);
  await server.beSilent(true);
  try {
    return await app.ask('initialize', initializeParams);
  } finally {
    await server.beSilent(false);
    await app.close();
  }
}

/** Milliseconds from the start of a pipe without a running gateway, which it starts, to the first response. */
export async function measureStartOnDemand(profile: ServedProfile, startPipe = startNodePipe): Promise<number> {
  const since = performance.now();
  const app = startPipe(profile);
  await app.ask('initialize', initializeParams);
  const milliseconds = performance.now() - since;
  await app.close();
  await endGateway(profile);
  return milliseconds;
}

/** Ends the serving process, which hands over on request. */
async function endGateway({ folder }: ServedProfile): Promise<void> {
  const run = path.join(folder, 'run');
  const file = path.join(run, 'endpoint.json');
  const { secret } = JSON.parse(readFileSync(file, 'utf8')) as { secret: string };
  const socket = createConnection(path.join(run, 'control.sock'));
  socket.write(`${JSON.stringify({ postern: 1, control: 'yield', secret })}\n`);
  await new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
}

/** Requests to the server beyond those of the app; should be none. */
export async function measureRequests(profile: ServedProfile, server: ServerProcess, serving: Serving) {
  await server.takeRequests();
  const [session] = await openSessions(profile, serving, 1);
  const calls = 10;
  await session?.ask('tools/list');
  for (let call = 0; call < calls; call += 1) await session?.ask('tools/call', callOf(100));
  await session?.close();
  // The session ends after its app.
  let requests = await server.takeRequests();
  for (let attempt = 0; attempt < 100 && !requests.includes('DELETE'); attempt += 1) {
    await pause(50);
    requests = [...requests, ...(await server.takeRequests())];
  }
  // Like the official client: handshake, listening stream, end of the session.
  const own = ['initialize', 'notifications/initialized', 'GET', 'tools/list', 'DELETE'];
  return requests.length - own.length - calls;
}

/** Twenty apps call at once with an expired token. */
export async function measureExpiry(profile: ServedProfile, server: ServerProcess, serving: Serving) {
  const sessions = await openSessions(profile, serving, 20);
  await Promise.all(sessions.map((session) => session.ask('tools/list')));
  await server.takeRequests();
  await server.endTokens();
  const answers = await Promise.all(sessions.map((session) => session.answerTo('tools/call', callOf(100))));
  const refreshes = (await server.takeRequests()).filter((name) => name === 'refresh').length;
  await Promise.all(sessions.map((session) => session.close()));
  return { refreshes, failed: answers.filter((outcome) => outcome === 'error').length };
}

export interface Kills {
  readonly count: number;
  readonly asked: number;
  /** Requests that got an error response. */
  readonly failed: number;
  /** Requests without a response, and responses without a request. */
  readonly wrong: number;
  /** Longest time from a restarted gateway to a session's first result, in milliseconds. */
  readonly longest: number;
}

/** Without Postern beside it, so that it does not start a gateway instead of the benchmark's. */
function copyPipe({ folder }: ServedProfile): string {
  const copy = path.join(folder, 'lone', 'pipe');
  cpSync(path.dirname(commands.node), copy, { recursive: true });
  writeFileSync(path.join(copy, 'package.json'), '{ "type": "module" }');
  return path.join(copy, 'pipe.js');
}

/**
 * Repeatedly kills the gateway, or ends it in order, while both pipes make calls continuously, eight at once each.
 */
export async function measureKills(
  profile: ServedProfile,
  { count, signal, hasNative }: { count: number; signal: 'SIGTERM' | 'SIGKILL'; hasNative: boolean },
): Promise<Kills> {
  let serving = await profile.serve();
  const sessions = [startNodePipe(profile, copyPipe(profile)), ...(hasNative ? [startNativePipe(profile)] : [])];
  for (const session of sessions) await session.shakeHands();
  const tally = { asked: 0, answered: 0, failed: 0 };
  const over = new AbortController();
  const listeners = new Map<LineApp, () => void>();
  const work = async (session: LineApp): Promise<void> => {
    while (!over.signal.aborted) {
      tally.asked += 1;
      const outcome = await session.answerTo('tools/call', callOf(2_000));
      tally.answered += 1;
      if (outcome === 'error') tally.failed += 1;
      else listeners.get(session)?.();
    }
  };
  const workers = sessions.flatMap((session) => Array.from({ length: 8 }, () => work(session)));
  const done = Promise.all(workers);
  let longest = 0;
  for (let kill = 0; kill < count; kill += 1) {
    await serving.end(signal);
    serving = await profile.serve();
    const since = performance.now();
    const continued = sessions.map((session) => new Promise<void>((resolve) => void listeners.set(session, resolve)));
    await Promise.race([Promise.all(continued), done]);
    longest = Math.max(longest, performance.now() - since);
  }
  over.abort();
  await done;
  const wrong = tally.asked - tally.answered + sessions.reduce((sum, { strays }) => sum + strays, 0);
  for (const session of sessions) await session.close();
  await serving.end('SIGTERM');
  return { count, asked: tally.asked, failed: tally.failed, wrong, longest };
}

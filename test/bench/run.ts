import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchServer } from './bench-server.ts';
import { Cells } from './cells.ts';
import type { Kind, Latency, Protocol } from './cells.ts';
import type { Contender } from './contenders.ts';
import { buildEngine, launchedBy, mcpRemote, officialClient, postern } from './contenders.ts';
import { describeWalk } from './count-walk.ts';
import { describeGateway } from './gateway/describe-gateway.ts';
import { writeGrowth } from './growth/write-growth.ts';
import { measureCommands, measureServed } from './measure-commands.ts';
import { measureProofs } from './measure-proofs.ts';
import { describeTricks } from './measure-tricks.ts';
import { describeRace } from './race.ts';
import { countRoundTrips } from './recorded-request.ts';
import { describeCells, describeGoals, describeMachine, describeSpread, listGoals, measured } from './report.ts';
import { openBenchRuntime } from './window/bench-runtime.ts';
import type { BenchRuntime } from './window/bench-runtime.ts';
import { describeWindow } from './window/describe-window.ts';
import { describeWindowTricks } from './window/measure-window-tricks.ts';

/**
 * `npm run bench [-- --rounds N] [--older-node FILE] [--tricks] [--gateway] [--window] [--growth] [--walk]`: measures
 * the time from nothing, and from stored tokens, to a server's tool list, compared with the official client and
 * mcp-remote, in turn and on the same loopback server; the cost of the window compared with an empty one; and the cost
 * for an app to use a server through the gateway. `--gateway`, `--window`: only that. `--growth`: only how costs grow
 * with the number of servers, sessions, tools, calls and records, written to docs/performance.md in about 10 minutes.
 * Measurements that fail on a slow machine are reported, and the rest continues. `--walk`: only the number of files that
 * one `connect` passes through. `--tricks`: only what each optimization saves.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    'older-node': { type: 'string' },
    tricks: { type: 'boolean', default: false },
    window: { type: 'boolean', default: false },
    gateway: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    walk: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const olderNode = values['older-node'];
const folder = mkdtempSync(path.join(tmpdir(), 'postern-bench-'));
const contenders = [
  officialClient,
  await buildEngine(path.join(folder, 'engine')),
  postern,
  ...(olderNode === undefined ? [] : [launchedBy(olderNode)]),
  mcpRemote,
];
const server = await startBenchServer();
const cells = new Cells();

/** Runs one contender once; `watchMemory` makes it slow, so such a run is not timed. */
async function measure(
  contender: Contender,
  kind: Kind,
  latency: Latency,
  protocol: Protocol,
  watchMemory = false,
): Promise<void> {
  const cell = cells.get(contender.name, kind, latency, protocol);
  const home = path.join(folder, `${contender.name}-${latency}-${protocol}`.replace(/\W+/g, '-'));
  if (kind === 'full') rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  await server.takeRequests();
  const run = await measured(
    `${contender.name}, ${kind}, ${latency} ms`,
    () => contender.run(kind, server.url(latency, protocol), home, watchMemory),
    undefined,
  );
  // The end of a finished session is sent without waiting for a response.
  const requests = (await server.takeRequests()).filter(({ name }) => !name.startsWith('DELETE '));
  if (!run) return;
  if (run.peak) {
    cell.peaks.push(run.peak);
    return;
  }
  cell.fromStart.push(run.milliseconds);
  if (run.inside !== undefined) cell.inside.push(run.inside);
  cell.requests = requests.map(({ name }) => name);
  cell.streams = requests.filter(({ isStream }) => isStream).length;
  cell.roundTrips = countRoundTrips(requests, latency);
}

async function measureAll(): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`round ${round + 1} of ${rounds}\r`);
    for (const latency of [0, 50] as const) {
      for (const kind of ['full', 'stored'] as const) {
        for (const contender of contenders) await measure(contender, kind, latency, 'mcp');
      }
    }
  }
  // Only contenders that support the stateless revision; older clients do not.
  for (const kind of ['full', 'stored'] as const) await measure(postern, kind, 50, 'stateless');
  for (let round = 0; round < 3; round += 1) {
    for (const contender of contenders) {
      for (const kind of ['full', 'stored'] as const) await measure(contender, kind, 0, 'mcp', true);
    }
  }
  console.log(describeCells(cells));
  const home = path.join(folder, 'postern-0-mcp');
  const commands = measureCommands(home, 'Bench', 15);
  const served = await measureServed(home, { name: 'Bench', tool: 'tool_0', rounds: 15 }, () => server.takeRequests());
  console.log(
    `\npostern list ${describeSpread(commands.list)}, token ${describeSpread(commands.token)}, node -e 0 ${describeSpread(commands.bare)}, import of 1,000 entries ${describeSpread(commands.imports.many)}, served list ${describeSpread(served.list)}, call ${describeSpread(served.call)}\n`,
  );
  const goals = [...listGoals(cells, commands, served), ...(await measureProofs())];
  console.log(describeGoals(goals));
  console.log(`\n${goals.filter(({ value, limit }) => value <= limit).length} of ${goals.length} reached`);
  console.log(`\n${await describeRace()}`);
  console.log('');
}

async function onRuntime(describe: (runtime: BenchRuntime) => Promise<string>): Promise<string> {
  const runtime = await openBenchRuntime();
  try {
    return await describe(runtime);
  } finally {
    runtime.end();
  }
}

try {
  console.log(`${rounds} rounds. ${describeMachine()}\n`);
  if (values.walk) console.log(await describeWalk(server.url(0, 'mcp'), folder));
  const isWhole = !values.walk && !values.tricks && !values.gateway && !values.window && !values.growth;
  if (isWhole) await measured('The commands', measureAll, undefined);
  const show = async (what: string, describe: () => Promise<string>): Promise<void> => {
    const text = await measured(what, describe, undefined);
    if (text !== undefined) console.log(`${text}\n`);
  };
  const onWindow = (describe: typeof describeWindow) => () => onRuntime((it) => describe(it, folder, rounds));
  if (isWhole || values.window) await show('The window', onWindow(describeWindow));
  if (isWhole || values.gateway) await show('The gateway', () => describeGateway(folder, rounds));
  if (values.growth) await show('Growth', () => writeGrowth(server.url(0, 'mcp'), folder));
  if (isWhole || values.tricks) {
    await show('Optimizations', () => describeTricks(server, rounds));
    await show('Optimizations of the window', onWindow(describeWindowTricks));
  }
  console.log(`At the end: ${describeMachine()}`);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

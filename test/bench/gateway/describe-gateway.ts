import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeGoals, isReached } from '../report.ts';
import type { Goal } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import type { Figures } from './figures.ts';
import { layOutPackage } from './lay-out-package.ts';
import { describeCallTricks } from './measure-call-tricks.ts';
import { measureFloods } from './measure-floods.ts';
import { measureExpiry, measureCachedInitialize, measureKills } from './measure-gateway.ts';
import { measureMemory, measureMemoryWithout, measureRequests, measureStartOnDemand } from './measure-gateway.ts';
import { measureApps } from './measure-apps.ts';
import { measureRoutes, sizeName, sizes } from './measure-routes.ts';
import { commands, makeProfile } from './served-profile.ts';
import { startServerProcess } from './server-process.ts';
import { listRoutes, startNativePipe } from './routes.ts';
import type { RouteName } from './routes.ts';

/** The default number of rounds and kills. */
const usual = { rounds: 9, kills: 50 };

/**
 * The cost for an app to use a server through Postern: each path, in turn, compared with a direct connection and
 * mcp-remote, at the same server; and the gateway under load. Results are compared with the design goals.
 */
export async function describeGateway(folder: string, rounds: number): Promise<string> {
  const server = await startServerProcess();
  const hasNative = existsSync(commands.native);
  const say = (what: string): void => void process.stderr.write(`${what.padEnd(60)}\r`);
  const threeTimes = async (measure: () => Promise<number>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < Math.min(rounds, 3); round += 1) times.push(await measure());
    return spreadOf(times).median;
  };
  try {
    say('gateway: connecting');
    const profile = await makeProfile(server.url, path.join(folder, 'gateway'));
    const serving = await profile.serve();
    const routes = await listRoutes(server, profile, serving, folder);
    say('gateway: each route in turn');
    const figures = await measureRoutes(routes, rounds);
    say('gateway: requests to the server');
    const cached = await threeTimes(() => measureCachedInitialize(profile, server));
    const requests = await measureRequests(profile, server, serving);
    const expiry = await measureExpiry(profile, server, serving);
    await serving.end('SIGTERM');
    say('gateway: starting');
    const onDemand = await threeTimes(() => measureStartOnDemand(profile));
    const packaged = hasNative ? await layOutPackage(path.join(folder, 'package')) : undefined;
    const onDemandPackaged =
      packaged === undefined
        ? undefined
        : await threeTimes(() => measureStartOnDemand(profile, () => startNativePipe(profile, packaged)));
    const kills = Math.ceil((usual.kills * rounds) / usual.rounds);
    say(`gateway: killed ${kills} times`);
    const killed = await measureKills(profile, { count: kills, signal: 'SIGKILL', hasNative });
    const ended = await measureKills(profile, { count: Math.ceil(kills / 5), signal: 'SIGTERM', hasNative });
    say('gateway: memory');
    const memory = await measureMemory(profile);
    const without = await measureMemoryWithout(profile);
    const found = await measureApps(profile, folder);
    say('gateway: while others flood it');
    const floods = await measureFloods(path.join(folder, 'floods'));
    say('gateway: calls without each optimization');
    const tricks = await describeCallTricks(server, folder, rounds);
    say('');
    const goals: readonly Goal[] = [
      ...(hasNative ? goalsOfPipe(figures, 'native pipe', { memory: 3, initialize: 30 }) : []),
      ...goalsOfPipe(figures, 'Node pipe', { memory: 60, initialize: 150 }),
      ...goalsOfRoute(figures, 'HTTP', { call: 0.6, p95: 2.5 }),
      { text: 'initialize while the server is silent', value: cached, limit: 1_000, unit: 'ms' },
      { text: 'first response if the pipe has to start `serve`', value: onDemand, limit: 2_000, unit: 'ms' },
      ...(onDemandPackaged === undefined
        ? []
        : [
            {
              text: "the same for a package with the tests' Electron, without a display",
              value: onDemandPackaged,
              limit: 4_000,
              unit: 'ms',
            },
          ]),
      { text: 'requests beyond those of the app', value: requests, limit: 0 },
      { text: '20 apps, expired token: refreshes', value: expiry.refreshes, limit: 1 },
      { text: '20 apps, expired token: failed calls', value: expiry.failed, limit: 0 },
      {
        text: `killed ${killed.count} times, ${killed.asked} requests, ${killed.failed} errors: not answered exactly once`,
        value: killed.wrong,
        limit: 0,
      },
      { text: 'killed: longest until a session continues', value: killed.longest, limit: 500, unit: 'ms' },
      {
        text: `ended ${ended.count} times in order, ${ended.asked} requests: errors, and requests not answered exactly once`,
        value: ended.failed + ended.wrong,
        limit: 0,
      },
      { text: 'ended in order: longest until a session continues', value: ended.longest, limit: 500, unit: 'ms' },
      { text: 'gateway with 100 idle sessions', value: memory.idle, limit: 100, unit: 'MB', without: without.idle },
      {
        text: 'gateway 30 s after 1 GB: growth',
        value: memory.grown * 100,
        limit: 20,
        unit: '%',
        without: without.grown * 100,
      },
      ...floods.flatMap(({ name, slowest, memory: most, failed }) => [
        { text: `${name}: slowest call of another app`, value: slowest, limit: 250, unit: 'ms' },
        { text: `${name}: memory`, value: most, limit: 320, unit: 'MB' },
        { text: `${name}: failed calls of another app`, value: failed, limit: 0 },
      ]),
      { text: 'AI apps: found', value: found.found, limit: 50, unit: 'ms' },
      { text: 'AI apps: all files read', value: found.read, limit: 300, unit: 'ms' },
    ];
    const reached = `${goals.filter(isReached).length} of ${goals.length} reached`;
    return `Apps through Postern:\n${describeGoals(goals)}\n${reached}\n\n${tricks}`;
  } finally {
    server.close();
  }
}

function goalsOfPipe(
  figures: Figures,
  route: RouteName,
  limits: { memory: number; initialize: number },
): readonly Goal[] {
  const memory = figures.median(route, 'memory');
  const before = figures.median(route, 'memory before');
  const remote = (what: string, added = false): number =>
    added ? figures.added('mcp-remote', what) : figures.median('mcp-remote', what);
  return [
    { text: `${route}: memory`, value: memory, limit: limits.memory, unit: 'MB', beside: remote('memory') },
    ...(route === 'native pipe'
      ? [{ text: `${route}: growth after large messages`, value: memory - before, limit: 0.5, unit: 'MB' }]
      : []),
    {
      text: `${route}: initialize, above the server's own time`,
      value: figures.added(route, 'initialize'),
      limit: limits.initialize,
      unit: 'ms',
      beside: remote('initialize', true),
    },
    ...goalsOfRoute(figures, route, { call: 0.4, p95: 1.5 }),
    {
      text: `${route}: calls per second, 16 at once`,
      value: figures.median(route, 'calls a second'),
      limit: 2_000,
      isFloor: true,
      beside: remote('calls a second'),
    },
  ];
}

function goalsOfRoute(figures: Figures, route: RouteName, limits: { call: number; p95: number }): readonly Goal[] {
  const added = (text: string, what: string, limit: number): Goal => ({
    text: `${route}: added ${text}`,
    value: figures.added(route, what),
    limit,
    unit: 'ms',
    beside: figures.added('mcp-remote', what),
  });
  return [
    added('to a call', 'call', limits.call),
    added('to a call, 95 of 100', 'call p95', limits.p95),
    ...[false, true].flatMap((stream) =>
      sizes.map((size) => added(`per MB of ${sizeName(size, stream)}`, sizeName(size, stream), 6)),
    ),
  ];
}

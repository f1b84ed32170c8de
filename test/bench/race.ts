import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { raceMcpRemote } from './race-mcp-remote.ts';
import { raceOfficialClient } from './race-official-client.ts';
import { racePostern, racePosternEngine } from './race-postern.ts';
import { startRaceServer } from './race-server.ts';
import { parallelCalls } from './racer.ts';
import type { Racer } from './racer.ts';

interface RaceResult {
  readonly name: string;
  readonly rounds: number;
  succeeded: number;
  refreshes: number;
  lostGrants: number;
  windows: number;
}

const racers: readonly Racer[] = [racePosternEngine, racePostern, raceOfficialClient, raceMcpRemote];

/**
 * Five parallel calls after the server has rejected the token, with rotating refresh tokens whose reuse ends the grant
 * (RFC 9700 section 4.14.2): the usual expiry of an access token, noticed by several windows or commands at once.
 * `only`: contenders whose name contains it.
 */
export async function describeRace(only?: string): Promise<string> {
  const results: RaceResult[] = [];
  for (const racer of racers.filter(({ name }) => name.includes(only ?? ''))) results.push(await race(racer));
  const rows = results.map(({ name, rounds, succeeded, refreshes, lostGrants, windows }) =>
    [
      name.padEnd(44),
      `${succeeded} of ${rounds * parallelCalls}`.padStart(12),
      (refreshes / rounds).toFixed(1).padStart(10),
      `${lostGrants} of ${rounds}`.padStart(12),
      String(windows).padStart(8),
    ].join(''),
  );
  const head = ['', 'calls ok', 'refreshes', 'grants lost', 'windows'];
  const widths = [44, 12, 10, 12, 8];
  const title = 'Five calls at once, the token rejected, rotation, reuse ends the grant:';
  return [title, head.map((word, index) => word.padStart(widths[index] ?? 0)).join(''), ...rows].join('\n');
}

async function race({ name, rounds, start }: Racer): Promise<RaceResult> {
  const result: RaceResult = { name, rounds, succeeded: 0, refreshes: 0, lostGrants: 0, windows: 0 };
  const home = mkdtempSync(path.join(tmpdir(), 'postern-race-'));
  const server = await startRaceServer();
  const running = await start(server.url, home);
  try {
    await running.signIn();
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`${name}, round ${round + 1} of ${rounds}\r`);
      running.takeWindows();
      server.takeRefreshes();
      server.rejectAll();
      result.succeeded += await running.callAtOnce();
      const { sent, refused } = server.takeRefreshes();
      result.refreshes += sent;
      result.windows += running.takeWindows();
      if (refused === 0) continue;
      result.lostGrants += 1;
      if (round < rounds - 1) await running.signIn();
    }
  } finally {
    await running.stop();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
  return result;
}

// `npx node test/bench/race.ts [NAME]`: only the race.
if (import.meta.main) console.log(await describeRace(process.argv[2]));

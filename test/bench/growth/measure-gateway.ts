import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { gatewaySession } from '../../../main/limits.ts';
import { callOf } from '../gateway/app.ts';
import type { App } from '../gateway/app.ts';
import { openHttpApp } from '../gateway/http-app.ts';
import { memoryOf } from '../gateway/memory-of.ts';
import { makeProfile } from '../gateway/served-profile.ts';
import type { ServedProfile, Serving } from '../gateway/served-profile.ts';
import { startServerProcess } from '../gateway/server-process.ts';
import { NotMeasured } from '../measured-process.ts';
import { measureLine } from './measure-line.ts';
import type { Curve } from './measure-line.ts';

const postern = path.join(import.meta.dirname, '../../../bin/postern.js');
const sessionCounts = [1, 10, 50, 100, 150, 500];
const toolCounts = [10, 100, 1_000, 5_000];

/** A call, and the gateway's memory, with 1 to 500 open sessions of three apps. */
export async function measureSessions(folder: string): Promise<readonly [times: Curve, memory: Curve]> {
  const server = await startServerProcess();
  try {
    const profile = await makeProfile(server.url, path.join(folder, 'sessions'));
    const authorizations = ['codex', 'cursor', 'zed'].map((app) => authorizationOf(profile, app));
    const memory: { readonly size: number; readonly value: number }[] = [];
    const calls = await measureLine('one call', sessionCounts, {
      async prepare(count) {
        const most = authorizations.length * gatewaySession.sessionsOfApp;
        if (count > most) throw new NotMeasured(`an app may have ${gatewaySession.sessionsOfApp} sessions`, []);
        const serving = await profile.serve();
        const apps: App[] = [];
        for (let index = 0; index < count; index += 1)
          apps.push(await openHttpApp(serving.address, authorizations[index % authorizations.length] ?? ''));
        for (const app of apps) await app.ask('tools/call', callOf(100));
        return { serving, apps };
      },
      async measure({ serving, apps }, size, round) {
        const times: number[] = [];
        for (let call = 0; call < 10; call += 1)
          times.push((await apps[(round * 10 + call) % apps.length]?.ask('tools/call', callOf(100))) ?? NaN);
        if (round === 0) memory.push({ size, value: memoryOf(serving.pid) });
        return Math.min(...times);
      },
      async end({ serving, apps }) {
        for (const app of apps) await app.close();
        await serving.end('SIGTERM');
      },
    });
    const shared = { counted: 'sessions' } as const;
    return [
      { ...shared, id: 'sessions', title: 'A call, by open sessions', unit: 'ms', lines: [calls] },
      {
        ...{ ...shared, id: 'sessions-memory', title: 'Memory of the gateway, by open sessions', unit: 'MB' },
        lines: [{ name: 'resident', points: memory, missing: [] }],
      },
    ];
  } finally {
    server.close();
  }
}

/** The tool list of a server with 10 to 5,000 tools, and a call there. */
export async function measureTools(folder: string): Promise<Curve> {
  const server = await startServerProcess();
  const prepare = async (count: number): Promise<{ readonly serving: Serving; readonly app: App }> => {
    const profile = await makeProfile(`${server.url}?tools=${count}`, path.join(folder, `tools-${count}`));
    const serving = await profile.serve();
    const app = await openHttpApp(serving.address, profile.authorization);
    await app.ask('tools/list');
    return { serving, app };
  };
  const end = async ({ serving, app }: Awaited<ReturnType<typeof prepare>>): Promise<void> => {
    await app.close();
    await serving.end('SIGTERM');
  };
  try {
    const lines = [
      await measureLine('list', toolCounts, { prepare, measure: ({ app }) => app.ask('tools/list'), end }),
      await measureLine('one call', toolCounts, {
        prepare,
        measure: ({ app }) => app.ask('tools/call', callOf(100)),
        end,
      }),
    ];
    return { id: 'tools', title: 'The gateway, by tools of a server', counted: 'tools', unit: 'ms', lines };
  } finally {
    server.close();
  }
}

function authorizationOf({ folder }: ServedProfile, app: string): string {
  const env = { ...process.env, POSTERN_HOME: folder };
  const text = execFileSync(process.execPath, [postern, 'headers', app], { env, encoding: 'utf8' });
  return (JSON.parse(text) as { Authorization: string }).Authorization;
}

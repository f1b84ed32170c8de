import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { postern } from '../contenders.ts';
import { NotMeasured } from '../measured-process.ts';
import { measureLine } from './measure-line.ts';
import type { Curve, Line } from './measure-line.ts';

const app = path.join(import.meta.dirname, '../../../bin/postern.js');
const sizes = [1, 10, 100, 1_000, 10_000];

/**
 * What commands cost with 1 to 10,000 servers in the list, one of which is signed in to the server at `url`; and an
 * import of as many. Milliseconds of the whole process.
 */
export async function measureServers(url: string, folder: string): Promise<Curve> {
  const signedIn = path.join(folder, 'signed-in');
  mkdirSync(signedIn, { recursive: true });
  await postern.run('full', url, signedIn);
  const homeOf = (size: number): string => path.join(folder, `servers-${size}`);
  for (const size of sizes) await writeServers(signedIn, homeOf(size), size);
  const line = (name: string, words: (round: number) => readonly string[], mayFail = false): Promise<Line> =>
    measureLine(name, sizes, {
      prepare: homeOf,
      measure: (home, _size, round) => time([app, ...words(round)], home, mayFail),
    });
  const lines = [
    await line('list', () => ['list']),
    await line('list --json', () => ['list', '--json']),
    await line('show', () => ['show', 'Bench']),
    await line('token', () => ['token', 'Bench']),
    await line('tools, with stored tokens', () => ['tools', 'Bench']),
    await line('rename', (round) => ['rename', 'bench', round % 2 === 0 ? 'Bench' : 'Bank']),
    // It fails where a check does, such as the one for a keychain.
    await line('doctor', () => ['doctor'], true),
    await measureLine('import of as many', sizes, {
      prepare: (size) => writeEntries(folder, size),
      measure(file) {
        const home = path.join(folder, 'import');
        rmSync(home, { recursive: true, force: true });
        return time([app, 'import', file], home, false);
      },
    }),
  ];
  return { id: 'servers', title: 'Commands, by servers in the list', counted: 'servers', unit: 'ms', lines };
}

async function writeServers(signedIn: string, home: string, size: number): Promise<void> {
  cpSync(signedIn, home, { recursive: true });
  const store = openIntegrationStore({ folder: home, locks: createLocks(home) });
  const others = Array.from({ length: size - 1 }, (_, index) =>
    anIntegration({
      id: `server-${index}`,
      name: `Server ${index}`,
      url: `https://mcp-${index}.example/mcp`,
      method: 'NoAuth',
    }),
  );
  await store.changeList(({ integrations, pendingDeletions }) => ({
    integrations: [...integrations, ...others],
    pendingDeletions,
  }));
}

/** A list of local commands, which need no network. */
function writeEntries(folder: string, size: number): string {
  const file = path.join(folder, `import-${size}.json`);
  const entries = Array.from({ length: size }, (_, index) => {
    return [`s${index}`, { command: process.execPath, args: [`${index}`], env: { TOKEN: `secret-${index}` } }];
  });
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return file;
}

function time(words: readonly string[], home: string, mayFail: boolean): number {
  const start = performance.now();
  const env = { ...process.env, POSTERN_HOME: home };
  const { status, stderr } = spawnSync(process.execPath, words, { env, maxBuffer: 1e9, timeout: 180_000 });
  if (status === null) throw new NotMeasured('no result within 180 s', []);
  if (status !== 0 && !mayFail) throw new Error(stderr.toString());
  return performance.now() - start;
}

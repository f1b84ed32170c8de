import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';

export interface OpenGateway {
  /** Connects a server; its name is its alias. */
  connect(url: string, alias: string): Promise<void>;
  /** The command by which an app uses it. */
  pipeTo(alias: string): readonly string[];
  /** The URL by which an app uses it, and the header fields of each request. */
  httpTo(alias: string): Promise<{ readonly url: URL; readonly fields: Readonly<Record<string, string>> }>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const app = join(root, 'bin/postern.js');

/** `postern serve` on its own profile. */
export async function openGateway(): Promise<OpenGateway> {
  const home = mkdtempSync(join(tmpdir(), 'postern-suite-'));
  const { apps } = openIntegrationStore({ folder: home, locks: createLocks(home) });
  const integrations = new Map<string, string>();
  const start = (...words: readonly string[]) => {
    const all = [app, ...words, '--json'];
    return spawn(process.execPath, all, {
      env: { ...process.env, POSTERN_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  /** Returns the last line of output. */
  const run = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const lines = (await text(start(...words).stdout)).trimEnd().split('\n');
    return JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  };
  const gateway = start('serve', '--allow-unknown', '--http');
  const ended = once(gateway, 'exit');
  const lines = createInterface({ input: gateway.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const { http } = JSON.parse(first) as { http: string };
  return {
    async connect(url, alias) {
      const { integration } = await run('connect', url, '--local', '--name', alias);
      integrations.set(alias, (integration as { id: string }).id);
    },
    pipeTo: (alias) => [process.execPath, app, 'proxy', '--profile-folder', home, alias],
    async httpTo(alias) {
      const id = randomBytes(8).toString('hex');
      const record = {
        id,
        app: 'cursor',
        name: 'Suite',
        integrations: [integrations.get(alias) ?? ''],
        createdAt: 1,
      };
      await apps.change((records) => [...records, record]);
      const { Authorization } = await run('headers', id);
      return { url: new URL(`${http}/${alias}`), fields: { authorization: String(Authorization) } };
    },
    async close() {
      gateway.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

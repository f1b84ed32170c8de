import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createAppFiles } from '../../../main/apps/files/app-files.ts';
import { inspectApp } from '../../../main/apps/inspect/inspect-app.ts';
import type { AppDependencies } from '../../../main/apps/app-dependencies.ts';
import { expandPath } from '../../../main/apps/table/app.ts';
import type { App, HostEnvironment } from '../../../main/apps/table/app.ts';
import { apps } from '../../../main/apps/table/apps.ts';
import { createAppReader } from '../../../main/host/apps/open-apps.ts';
import { listApps } from '../../../main/operations/apps.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { createMemoryVault } from '../../../main/storage/vault/vault.ts';
import { spreadOf } from '../statistics.ts';
import type { ServedProfile } from './served-profile.ts';

const entries = Array.from({ length: 10 }, (_, at) => `server${at}`);

/** Milliseconds to find all AI apps in the table, with all of them installed, and to read their files. */
export async function measureApps({ folder }: ServedProfile, below: string) {
  const home = mkdtempSync(path.join(below, 'home-'));
  const surroundings: HostEnvironment = { system: 'linux', home, variable: () => undefined };
  for (const app of apps) {
    const [place] = app.files.linux ?? [];
    if (!place) continue;
    const file = expandPath(place.path, surroundings);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, textOf(app));
  }
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  const engine: AppDependencies = {
    ...createAppReader({ folder, locks, records: store.apps, vault: async () => createMemoryVault() }),
    servers: store,
    files: createAppFiles({ home, commands: { platform: process.platform, findExecutable: () => '' } }),
    host: surroundings,
    pipe: { command: '/usr/lib/postern/pipe', args: [] },
    cli: { command: '/usr/bin/postern', args: [] },
    gatewayUrl: undefined,
  };
  const integrations = await store.list();
  const found: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    let since = performance.now();
    const described = await listApps({ ports: { store }, apps: engine }, apps);
    found.push(performance.now() - since);
    since = performance.now();
    const inside = await Promise.all(described.map((app) => inspectApp(engine, app, integrations)));
    read.push(performance.now() - since);
    const isWhole = inside.every(({ entries: shown }) => shown.length === entries.length);
    if (!described.every((each) => each.isInstalled) || !isWhole) throw new Error('An app was not found or not read.');
  }
  return { found: spreadOf(found).median, read: spreadOf(read).median };
}

function textOf({ format, list }: App): string {
  const entry = { command: 'npx', args: ['-y', 'some-server'] };
  switch (format) {
    case 'json':
    case 'jsonc':
      return JSON.stringify({ [list]: Object.fromEntries(entries.map((name) => [name, entry])) }, null, 2);
    case 'toml':
      return entries.map((name) => `[${list}.${name}]\ncommand = "npx"\nargs = ["-y", "some-server"]\n`).join('\n');
    case 'yaml-map':
      return `${list}:\n${entries.map((name) => `  ${name}:\n    type: stdio\n    cmd: npx\n    args: [-y, some-server]\n`).join('')}`;
    case 'yaml-list':
      return `${list}:\n${entries.map((name) => `  - name: ${name}\n    command: npx\n    args: [-y, some-server]\n`).join('')}`;
  }
}

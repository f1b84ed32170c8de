import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProgramFiles } from '../../../main/apps/files/program-files.ts';
import { lookInside } from '../../../main/apps/look/look-inside.ts';
import type { ProgramEngine } from '../../../main/apps/program-engine.ts';
import { pathHere } from '../../../main/apps/table/program.ts';
import type { Program, Surroundings } from '../../../main/apps/table/program.ts';
import { programs } from '../../../main/apps/table/table.ts';
import { programsHere } from '../../../main/host/programs/open-programs.ts';
import { listApps } from '../../../main/operations/apps.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { createMemoryVault } from '../../../main/storage/vault/vault.ts';
import { spreadOf } from '../statistics.ts';
import type { ServedProfile } from './served-profile.ts';

const entries = Array.from({ length: 10 }, (_, at) => `server${at}`);

/** Milliseconds to find every program of the table where each is there, and to read the file of each. */
export async function measurePrograms({ folder }: ServedProfile, below: string) {
  const home = mkdtempSync(path.join(below, 'home-'));
  const surroundings: Surroundings = { system: 'linux', home, variable: () => undefined };
  for (const program of programs) {
    const [place] = program.files.linux ?? [];
    if (!place) continue;
    const file = pathHere(place.path, surroundings);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, textOf(program));
  }
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  const engine: ProgramEngine = {
    ...programsHere({ folder, locks, records: store.programs, vault: async () => createMemoryVault() }),
    servers: store,
    files: createProgramFiles({ home, commands: { platform: process.platform, findProgram: () => '' } }),
    surroundings,
    pipe: { command: '/usr/lib/postern/pipe', args: [] },
    own: { command: '/usr/bin/postern', args: [] },
    gatewayUrl: undefined,
  };
  const integrations = await store.list();
  const found: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    let since = performance.now();
    const described = await listApps({ ports: { store }, programs: engine }, programs);
    found.push(performance.now() - since);
    since = performance.now();
    const inside = await Promise.all(described.map((app) => lookInside(engine, app, integrations)));
    read.push(performance.now() - since);
    const isWhole = inside.every(({ entries: shown }) => shown.length === entries.length);
    if (!described.every((each) => each.found) || !isWhole) throw new Error('A program was not found or not read.');
  }
  return { found: spreadOf(found).median, read: spreadOf(read).median };
}

function textOf({ format, list }: Program): string {
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

import { homedir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../engine/clock.ts';
import type { Profile } from '../engine/open-profile.ts';
import { pipeCommand, programCommand } from '../engine/pipe-command.ts';
import { systemRandom } from '../engine/random.ts';
import { createProgramBackups } from '../program-files/program-backups.ts';
import { createProgramFiles } from '../program-files/program-files.ts';
import type { IntegrationStore, Vault } from '../ports.ts';
import type { System } from '../programs/program.ts';
import type { ProgramEngine } from '../programs/program-engine.ts';
import { findProgram } from '../user-agent/browser/find-program.ts';
import type { CommandContext } from './command-context.ts';
import { openCommandProfile } from './open-command-profile.ts';

export interface CommandPrograms {
  readonly engine: ProgramEngine;
  readonly store: Pick<Profile['store'], keyof IntegrationStore>;
  /** Where it was opened. */
  readonly vault?: () => Promise<Vault>;
}

/** What the commands about other programs work with. Errors: CFG_*. */
export async function openCommandPrograms(context: CommandContext): Promise<CommandPrograms> {
  const { folder, locks, store } = await openCommandProfile(context);
  return { engine: await programEngine(context, { folder, locks, records: store.programs, store }), store };
}

/** The same for a profile that is open. Errors: CFG_*. */
export async function programEngine(
  { installation }: Pick<CommandContext, 'installation'>,
  profile: Pick<ProgramEngine, 'locks' | 'records'> & {
    readonly folder: string;
    readonly store: Pick<IntegrationStore, 'settings'>;
  },
): Promise<ProgramEngine> {
  const { folder, locks, records, store } = profile;
  const { gatewayPort } = await store.settings();
  const home = homedir();
  const { env, platform } = process;
  const profileFolder = path.resolve(folder);
  return {
    files: createProgramFiles({ home, findProgram: (name) => findProgram(name, env, platform) }),
    backups: createProgramBackups(profileFolder),
    records,
    locks,
    clock: systemClock,
    random: systemRandom,
    surroundings: { system: systemOf(platform), home, variable: (name) => env[name] },
    profileFolder,
    pipe: await pipeCommand(installation, profileFolder),
    own: programCommand(installation),
    gatewayUrl: gatewayPort === undefined ? undefined : gatewayUrlOf(gatewayPort),
  };
}

/** Where programs reach Postern over HTTP: an alias follows. */
export function gatewayUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}

/** Every other one has the places of Linux. */
function systemOf(platform: NodeJS.Platform): System {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

import { homedir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../engine/clock.ts';
import type { Profile } from '../engine/open-profile.ts';
import { pipeCommand } from '../engine/pipe-command.ts';
import { systemRandom } from '../engine/random.ts';
import { createProgramBackups } from '../program-files/program-backups.ts';
import { createProgramFiles } from '../program-files/program-files.ts';
import type { System } from '../programs/program.ts';
import type { ProgramEngine } from '../programs/program-engine.ts';
import { findProgram } from '../user-agent/browser/find-program.ts';
import type { CommandContext } from './command-context.ts';
import { openCommandProfile } from './open-command-profile.ts';

export interface CommandPrograms {
  readonly engine: ProgramEngine;
  readonly store: Profile['store'];
}

/** What the commands about other programs work with. Errors: CFG_*. */
export async function openCommandPrograms(context: CommandContext): Promise<CommandPrograms> {
  const { folder, locks, store } = await openCommandProfile(context);
  return { engine: await programEngine(context, { folder, locks, records: store.programs }), store };
}

/** The same for a profile that is open. Errors: CFG_*. */
export async function programEngine(
  { installation }: Pick<CommandContext, 'installation'>,
  { folder, locks, records }: Pick<ProgramEngine, 'locks' | 'records'> & { readonly folder: string },
): Promise<ProgramEngine> {
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
  };
}

/** Every other one has the places of Linux. */
function systemOf(platform: NodeJS.Platform): System {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

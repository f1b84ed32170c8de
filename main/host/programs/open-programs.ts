import { homedir } from 'node:os';
import path from 'node:path';
import { createProgramBackups } from '../../apps/files/program-backups.ts';
import { createProgramFiles } from '../../apps/files/program-files.ts';
import { gatewayUrlOf } from '../../apps/program-engine.ts';
import type { ProgramEngine, ProgramsHere } from '../../apps/program-engine.ts';
import { createForgetfulRecords } from '../../apps/records/program-secret.ts';
import type { System } from '../../apps/table/program.ts';
import { findProgram } from '../../find-program.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import type { Installation } from '../installation.ts';
import { systemClock, systemRandom } from '../system-ports.ts';
import { isTranslocated, pipeCommand, programCommand } from './pipe-command.ts';

type OpenProfile = Pick<ProgramEngine, 'locks' | 'records'> & {
  readonly folder: string;
  readonly vault: () => Promise<Vault>;
};

/** The programs of this computer and person, for an open profile. Opens nothing yet. */
export function programsHere({ folder, locks, records, vault }: OpenProfile): ProgramsHere {
  const home = homedir();
  const { env, platform } = process;
  const profileFolder = path.resolve(folder);
  return {
    files: createProgramFiles({
      home,
      commands: { platform, findProgram: (name) => findProgram(name, env, platform) },
    }),
    backups: createProgramBackups(profileFolder),
    records: createForgetfulRecords(records, vault),
    locks,
    clock: systemClock,
    random: systemRandom,
    surroundings: { system: systemOf(platform), home, variable: (name) => env[name] },
    profileFolder,
  };
}

/** The same with what entries of them lead to. Errors: CFG_*. */
export async function openPrograms(
  installation: Installation,
  profile: OpenProfile & { readonly store: Pick<IntegrationStore, 'settings' | 'changeList'> },
): Promise<ProgramEngine> {
  const { gatewayPort } = await profile.store.settings();
  const here = programsHere(profile);
  return {
    ...here,
    servers: profile.store,
    pipe: await pipeCommand(installation, here.profileFolder),
    own: programCommand(installation),
    isTranslocated: isTranslocated(),
    gatewayUrl: gatewayPort === undefined ? undefined : gatewayUrlOf(gatewayPort),
  };
}

/** Every other one has the places of Linux. */
function systemOf(platform: NodeJS.Platform): System {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

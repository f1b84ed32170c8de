import { homedir } from 'node:os';
import path from 'node:path';
import { createAppBackups } from '../../apps/files/app-backups.ts';
import { createAppFiles } from '../../apps/files/app-files.ts';
import { gatewayUrlOf } from '../../apps/app-dependencies.ts';
import type { AppDependencies, AppReader } from '../../apps/app-dependencies.ts';
import { withSecretCleanup } from '../../apps/records/app-secret.ts';
import type { System } from '../../apps/table/app.ts';
import { findExecutable } from '../../find-executable.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import type { Installation } from '../installation.ts';
import { systemClock, systemRandom } from '../system-ports.ts';
import { isTranslocated, pipeCommand, ownCommand } from './pipe-command.ts';

type OpenProfile = Pick<AppDependencies, 'locks' | 'records'> & {
  readonly folder: string;
  readonly vault: () => Promise<Vault>;
};

/** The AI apps of this user and computer, for an open profile. Opens nothing yet. */
export function createAppReader({ folder, locks, records, vault }: OpenProfile): AppReader {
  const home = homedir();
  const { env, platform } = process;
  const profileFolder = path.resolve(folder);
  return {
    files: createAppFiles({
      home,
      commands: { platform, findExecutable: (name) => findExecutable(name, env, platform) },
    }),
    backups: createAppBackups(profileFolder),
    records: withSecretCleanup(records, vault),
    locks,
    clock: systemClock,
    random: systemRandom,
    host: { system: systemOf(platform), home, variable: (name) => env[name] },
    profileFolder,
  };
}

/** The same, with what app entries start or connect to. Errors: CFG_*. */
export async function openApps(
  installation: Installation,
  profile: OpenProfile & { readonly store: Pick<IntegrationStore, 'settings' | 'changeList'> },
): Promise<AppDependencies> {
  const { gatewayPort } = await profile.store.settings();
  const reader = createAppReader(profile);
  return {
    ...reader,
    servers: profile.store,
    pipe: await pipeCommand(installation, reader.profileFolder),
    cli: ownCommand(installation),
    isTranslocated: isTranslocated(),
    gatewayUrl: gatewayPort === undefined ? undefined : gatewayUrlOf(gatewayPort),
  };
}

/** All other systems use the Linux paths. */
function systemOf(platform: NodeJS.Platform): System {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

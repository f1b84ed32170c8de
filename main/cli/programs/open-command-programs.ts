import { openPrograms } from '../../engine/open-programs.ts';
import type { Profile } from '../../engine/open-profile.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';

export interface CommandPrograms {
  readonly engine: ProgramEngine;
  readonly store: Pick<Profile['store'], keyof IntegrationStore>;
  /** Where it was opened. */
  readonly vault?: () => Promise<Vault>;
}

/** What the commands about other programs work with. Errors: CFG_*. */
export async function openCommandPrograms(context: CommandContext): Promise<CommandPrograms> {
  const { folder, locks, store } = await openCommandProfile(context);
  const engine = await openPrograms(context.installation, { folder, locks, records: store.programs, store });
  return { engine, store };
}

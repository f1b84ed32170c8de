import type { Integration } from '../../../shared/integration.ts';
import { aliasOf } from '../../../shared/integration-alias.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { localPlace } from '../../address/check-address.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { commandHash } from '../../command-hash.ts';
import { valueNames } from '../../secret-words.ts';
import { forgetCommand, readCommand, saveCommand } from '../kept/local-consent.ts';
import type { LocalValues } from '../kept/local-consent.ts';
import { usualOptions } from '../kept/usual-options.ts';
import { withFreeName } from './with-free-name.ts';

export interface ListedRequest {
  readonly name: string;
  readonly command: LocalCommand;
  readonly values: LocalValues;
}

/**
 * Puts a server on this computer on the list as another list has it: its values in the vault, and nothing of it started
 * before a person has allowed the command. Errors: KC_*, CFG_*; then nothing is left behind.
 */
export async function listLocal(
  ports: Pick<EnginePorts, 'vault' | 'store' | 'locks' | 'clock'>,
  { name, command, values }: ListedRequest,
): Promise<Integration> {
  const vault = await ports.vault();
  const id = crypto.randomUUID();
  await saveCommand(vault, id, command, { values, isAllowed: false });
  try {
    return await withFreeName(ports, { name, url: localPlace(aliasOf(name)) }, async (freeName) => {
      const entry = { id, name: freeName, command, method: 'NoAuth', state: 'integrated' } as const;
      const address = { url: localPlace(aliasOf(freeName)), createdAt: ports.clock.now(), notes: [] };
      const written = await ports.store.write({ ...entry, ...address, options: usualOptions });
      const url = localPlace(written.alias ?? '');
      return url === written.url ? written : ((await ports.store.update(id, (kept) => ({ ...kept, url }))) ?? written);
    });
  } catch (error) {
    await forgetCommand(vault, id, { but: undefined });
    throw error;
  }
}

/** One that runs exactly this already, with the same values. */
export interface SameCommand {
  readonly integration: Integration;
  readonly isAllowed: boolean;
}

/** Servers of a list by the hash of their command. */
export type CommandIndex = Map<string, Integration[]>;

export function indexCommands(list: readonly Integration[]): CommandIndex {
  return Map.groupBy(
    list.filter(({ command }) => command),
    ({ command }) => (command ? commandHash(command) : ''),
  );
}

/**
 * Two entries that differ in a value alone, such as a key, are two servers. `index`: for who looks for many.
 * Errors: KC_*, CFG_*.
 */
export async function findSameCommand(
  { vault, store }: Pick<EnginePorts, 'vault' | 'store'>,
  { command, values }: Pick<ListedRequest, 'command' | 'values'>,
  index?: CommandIndex,
): Promise<SameCommand | undefined> {
  const alike = (index ?? indexCommands(await store.list())).get(commandHash(command)) ?? [];
  for (const integration of alike) {
    const kept = await readCommand(await vault(), integration.id, command);
    if (kept && valueNames(command).every((name) => kept.values[name] === values[name]))
      return { integration, isAllowed: kept.isAllowed };
  }
  return undefined;
}

import type { LocalCommand } from '../../../shared/local-command.ts';
import type { LocalServers } from '../../local-ports.ts';
import { sealCommand } from '../../secret-words.ts';
import type { ListedCommand } from './listed-command.ts';

/** A command of a list with nothing to fill in, as it would run, its secrets among the values. `from`: what the list is. Errors: LOCAL_NOT_FOUND. */
export async function prepareListed(
  { local }: { readonly local: Pick<LocalServers, 'prepare'> },
  { words, folder, variables }: ListedCommand,
  from: string,
): Promise<{ readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> }> {
  const names = variables.map(({ name }) => name);
  const command = { ...(await local.prepare(words, folder)), variables: names, from: from.slice(0, 200) };
  return sealCommand(command, Object.fromEntries(variables.map(({ name, value = '' }) => [name, value])));
}

import type { LocalCommand } from '../../../shared/local-command.ts';
import type { LocalServers } from '../../local-ports.ts';
import type { ListedCommand } from './listed-command.ts';

/** A command of a list with nothing to fill in, as it would run. `from`: what the list is. Errors: LOCAL_NOT_FOUND. */
export async function prepareListed(
  { local }: { readonly local: Pick<LocalServers, 'prepare'> },
  { words, folder, variables }: ListedCommand,
  from: string,
): Promise<{ readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> }> {
  const names = variables.map(({ name }) => name);
  return {
    command: { ...(await local.prepare(words, folder)), variables: names, from: from.slice(0, 200) },
    values: Object.fromEntries(variables.map(({ name, value = '' }) => [name, value])),
  };
}

import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../options/usage-error.ts';
import { printableLine } from '../text/printable.ts';

/** Errors: USAGE for a server that is somewhere else. */
export function requireLocal(
  integration: Integration,
  { args }: Pick<CommandContext, 'args'>,
): Integration & { readonly command: LocalCommand } {
  const { command, name } = integration;
  if (!command) throw new UsageError(`Postern does not run “${printableLine(name)}”: it has an address.`, args.command);
  return { ...integration, command };
}

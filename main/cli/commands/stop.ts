import { askAboutLocal } from '../../host/gateway/gateway-holder.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile, requireLocal } from '../opening/open-command-profile.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text/printable.ts';

/** `postern local stop ID`: ends the processes of a server on this computer. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function stop(context: CommandContext): Promise<Answer> {
  const { store, folder } = await openCommandProfile(context);
  const integration = await findIntegration(store, context.args.positionals[0] ?? '');
  const { id, name } = requireLocal(integration, context);
  const told = await askAboutLocal(folder, { id, act: 'stop' });
  const shown = `“${printableLine(name)}”`;
  return {
    fields: { state: told?.state ?? 'off' },
    text: told ? `${shown} is stopped.` : `${shown} does not run: nobody serves programs.`,
  };
}

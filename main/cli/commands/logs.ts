import { setTimeout as pause } from 'node:timers/promises';
import { askAboutLocal } from '../../host/gateway/gateway-holder.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile, requireLocal } from '../opening/open-command-profile.ts';
import { hasOption } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { printable, printableLine } from '../text/printable.ts';

/** Milliseconds between two looks. */
const look = 300;

/** `postern local logs ID`: what a server on this computer has written. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function logs(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const { store, folder } = await openCommandProfile(context);
  const integration = await findIntegration(store, args.positionals[0] ?? '');
  const { id, name } = requireLocal(integration, context);
  const told = await askAboutLocal(folder, { id, act: 'status' });
  if (!told) output.say(`Nobody serves programs, so “${printableLine(name)}” has not run for any.`);
  else if (told.output === '') output.say(`“${printableLine(name)}” has written nothing.`);
  if (!hasOption(args, 'follow'))
    return {
      fields: { state: told?.state ?? 'off', output: told?.output ?? '' },
      text: told?.output ? printable(told.output.trimEnd()) : undefined,
    };
  let since = 0;
  for (let next = told; !signal.aborted;) {
    if (next && next.total !== since) {
      output.event('output', { output: next.output });
      if (next.output !== '') output.print(printable(next.output.replace(/\n$/u, '')));
      since = next.total;
    }
    await pause(look, undefined, { signal }).catch(() => {});
    next = await askAboutLocal(folder, { id, act: 'status', since });
    // Another one serves now.
    if (next && next.total < since) since = 0;
  }
  return { fields: {} };
}

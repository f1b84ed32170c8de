import { isExported, renderExport } from '../../engine/kept/exported-list.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text/printable.ts';

/** `postern export`: the list for another computer, addresses and choices without any secret. Errors: CFG_*. */
export async function exportList(context: CommandContext): Promise<Answer> {
  const { store } = await openCommandProfile(context);
  const all = await store.list();
  const text = renderExport(all, await store.collections.list());
  const leftOut = all.filter((integration) => !isExported(integration)).map(({ name }) => name);
  if (leftOut.length > 0)
    context.output.say(`Left out, since they run on this computer: ${printableLine(leftOut.join(', '), 400)}.`);
  return { fields: { list: JSON.parse(text) as unknown, leftOut }, text: text.trimEnd() };
}

import { exportList } from '../../operations/lists.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';

/** `postern export`: the list for another computer, addresses and choices without any secret. Errors: CFG_*. */
export async function exportToOutput(context: CommandContext): Promise<Answer> {
  const { store } = await openCommandProfile(context);
  let text = '';
  const saveList = async (list: string): Promise<boolean> => {
    text = list;
    return true;
  };
  const { leftOut } = await exportList({ ports: { store }, collections: store.collections, saveList }, {});
  if (leftOut.length > 0)
    context.output.say(`Left out, since they run on this computer: ${printableLine(leftOut.join(', '), 400)}.`);
  return { fields: { list: JSON.parse(text) as unknown, leftOut }, text: text.trimEnd() };
}

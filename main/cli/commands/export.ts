import { renderExport } from '../../desktop/lists/exported-list.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import type { Answer } from '../output/output.ts';

/** `postern export`: the list for another computer, addresses and choices without any secret. Errors: CFG_*. */
export async function exportList(context: CommandContext): Promise<Answer> {
  const { store } = await openCommandProfile(context);
  const text = renderExport(await store.list());
  return { fields: { list: JSON.parse(text) as unknown }, text: text.trimEnd() };
}

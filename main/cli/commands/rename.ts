import { collectionNamed, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { collectionTitle, saveCollection } from '../../operations/collections.ts';
import { readServer } from '../../operations/read-server.ts';
import { updateServer } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { checkServerName, UsageError } from '../options/parse-arguments.ts';
import { summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { namedCollection, namedUsed } from '../programs/named-program.ts';
import { printableLine } from '../text.ts';

/** `postern rename ID|+COLLECTION NAME`. Errors: NOT_FOUND, NAME_TAKEN, USAGE for a name without anything to show, CFG_*. */
export async function rename(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', name = ''] = args.positionals;
  const profile = await openCommandProfile(context);
  const used = await namedUsed({ ...profile, ...profile.store }, reference, 'rename');
  if (collectionNamed(used.id) !== undefined) {
    if (collectionTitle(name) === undefined)
      throw new UsageError('A name needs something that can be shown.', args.command);
    const { store } = profile;
    const earlier = await namedCollection(store.collections, used.id, 'rename');
    const scope = { ...terminalSurface(context), ports: { store }, collections: store.collections };
    const renamed = await saveCollection(scope, { id: used.id, name });
    const title = titleOf(renamed);
    return {
      fields: { collection: { name: renamed.name, title }, earlierName: titleOf(earlier) },
      text: `${sayRenamed(titleOf(earlier), title)} In commands and entries it stays ${collectionReference(renamed)}.`,
    };
  }
  const { id, name: earlierName } = await findIntegration(profile.store, used.id);
  await updateServer(
    { ...terminalSurface(context), ports: profile },
    { id, name: checkServerName(name, args.command) },
  );
  const renamed = await readServer(profile, id);
  return {
    fields: { integration: summarise(renamed), earlierName },
    text: sayRenamed(earlierName, renamed.name),
  };
}

function sayRenamed(before: string, after: string): string {
  return `“${printableLine(before)}” is now called “${printableLine(after)}”.`;
}

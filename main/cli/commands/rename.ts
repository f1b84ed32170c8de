import { collectionNamed, titleOf } from '../../../shared/entry-name.ts';
import { displayText } from '../../address/display-text.ts';
import { renameCollection, renameIntegration } from '../../integration/kept/collections.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { checkServerName } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { namedCollection, namedUsed } from '../programs/named-program.ts';
import { printableLine } from '../text/printable.ts';

/** `postern rename ID|+COLLECTION NAME`. Errors: NOT_FOUND, NAME_TAKEN, USAGE for a name without anything to show, CFG_*. */
export async function rename(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', name = ''] = args.positionals;
  const profile = await openCommandProfile(context);
  const used = await namedUsed({ ...profile, ...profile.store }, reference, 'rename');
  if (collectionNamed(used.id) !== undefined) {
    if (displayText(name) === '') throw new UsageError('A name needs something that can be shown.', args.command);
    const earlier = await namedCollection(profile.store.collections, used.id, 'rename');
    const { name: kept, title } = await renameCollection(
      profile.store.collections,
      earlier.name,
      displayText(name, 80),
    );
    return {
      fields: { collection: { name: kept, title }, earlierName: titleOf(earlier) },
      text: sayRenamed(titleOf(earlier), title ?? kept),
    };
  }
  const integration = await findIntegration(profile.store, used.id);
  const renamed = await renameIntegration(profile, integration, checkServerName(name, args.command));
  return {
    fields: { integration: summarise(renamed), earlierName: integration.name },
    text: sayRenamed(integration.name, renamed.name),
  };
}

function sayRenamed(before: string, after: string): string {
  return `“${printableLine(before)}” is now called “${printableLine(after)}”.`;
}

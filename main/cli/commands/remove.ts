import { removeIntegration } from '../../integration/leave/remove-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { offerEntries } from '../programs/offer-entries.ts';
import { summarise } from '../output/describe-integration.ts';
import { registrationDeletionSentences, revocationSentences } from '../output/revocation-sentences.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../printable.ts';
import { useIntegration } from '../opening/use-integration.ts';

/** `postern remove ID`: forgets a server and all that is kept for it. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function remove(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await (await import('./remove-all.ts')).removeAll(context);
  const { engine, ports, integration, access } = await useIntegration(context);
  await offerEntries(context, engine, [integration]);
  const { revocation, registration } = await removeIntegration(ports, integration, access.signal);
  const sentences = [
    `Removed “${printableLine(integration.name)}”.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
  ];
  return {
    fields: { integration: summarise(integration), revocation, registration },
    text: sentences.filter((sentence) => sentence !== '').join(' '),
  };
}

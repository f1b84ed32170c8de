import type { Integration } from '../../../shared/integration.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import { servedBy } from '../../../shared/served-by.ts';
import { removeIntegration } from '../../engine/leave/remove-integration.ts';
import { forgetWith } from '../../apps/records/program-secret.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { registrationDeletionSentences, revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { offerEntries } from '../programs/confirm-changes.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { printableLine } from '../text/printable.ts';

/** `postern remove ID`: forgets a server and all that is kept for it. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function remove(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await (await import('./remove-all.ts')).removeAll(context);
  const { engine, ports, integration, access } = await useIntegration(context);
  const programs = await openEnginePrograms(context, engine);
  await offerEntries(context, programs, { kind: 'servers', servers: [integration] });
  await forgetWith(await programs.records.list(), (records) => withoutServer(records, integration.id), ports.vault);
  const { revocation, registration } = await removeIntegration(ports, integration, access.signal);
  const left = servedBy(integration, await ports.store.list());
  const sentences = [
    `Removed “${printableLine(integration.name)}”.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
    sayLeft(left),
  ];
  return {
    fields: {
      integration: summarise(integration),
      revocation,
      registration,
      ...(left.length > 0 && { withoutProvider: left.map(({ id }) => id) }),
    },
    text: sentences.filter((sentence) => sentence !== '').join(' '),
  };
}

/** What a removed identity provider leaves behind. */
function sayLeft(left: readonly Integration[]): string {
  if (left.length === 0) return '';
  const names = left.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  return `It signed in for ${names}, which end with their access of now: remove them, or connect them anew.`;
}

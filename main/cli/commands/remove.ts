import { servedBy } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { removeIntegration } from '../../engine/leave/remove-integration.ts';
import { removeServers } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { registrationDeletionSentences, revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeConnect } from '../output/write-command.ts';
import { removalScope } from '../programs/confirm-changes.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { printableLine } from '../text.ts';

/** `postern remove ID`: forgets a server and all that is kept for it. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function remove(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await (await import('./remove-all.ts')).removeAll(context);
  const { engine, ports, integration, access } = await useIntegration(context);
  const programs = await openEnginePrograms(context, engine);
  const leave = {
    remove: async (servers: readonly Integration[]) => ({
      services: await Promise.all(
        servers.map(async (server) => {
          const { revocation, registration } = await removeIntegration(ports, server, access.signal);
          return { id: server.id, revocation, registration };
        }),
      ),
    }),
  };
  const { collections } = engine;
  const entries = removalScope(context, { ports, collections, programs, openPrograms: async () => programs });
  const scope = { ...terminalSurface(context), ...entries, ports, leave };
  const removed = await removeServers(scope, { ids: [integration.id] });
  const { revocation = 'nothing-to-revoke', registration = 'nothing-to-delete' } = removed?.services?.[0] ?? {};
  const left = servedBy(integration, await ports.store.list());
  const sentences = [
    `Removed “${printableLine(integration.name)}”.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
    sayLeft(left),
    // The command of one on this computer may hold what nobody should read here.
    integration.command ? '' : `To connect it again: ${writeConnect(context.situation())}.`,
  ];
  return {
    fields: {
      integration: summarise(integration),
      revocation,
      registration,
      ...(left.length > 0 && { withoutProvider: left.map(({ id }) => id) }),
    },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** What a removed identity provider leaves behind. */
function sayLeft(left: readonly Integration[]): string {
  if (left.length === 0) return '';
  const names = left.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  return `It signed in for ${names}, which end with their access of now: remove them, or connect them anew.`;
}

import type { Integration } from '../../../shared/integration.ts';
import { usesApiKey } from '../../engine/kept/api-key.ts';
import { signOut as signOutIntegration } from '../../engine/leave/sign-out.ts';
import { signOutServers } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeConnect, writeSignIn } from '../output/write-command.ts';
import type { Situation } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/** `postern sign-out ID`: forgets the tokens, keeps the entry. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function signOut(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const leave = {
    signOut: async (servers: readonly Integration[]) => ({
      services: await Promise.all(
        servers.map(async (server) => {
          const { revocation } = await signOutIntegration(ports, server, access.signal);
          return { id: server.id, revocation };
        }),
      ),
    }),
  };
  const { id, name } = integration;
  const left = await signOutServers({ ...terminalSurface(context), ports, leave }, { ids: [id] });
  const revocation = left?.services?.[0]?.revocation ?? 'nothing-to-revoke';
  const now = (await ports.store.read(id)) ?? integration;
  const sentences = [
    `Signed out of “${printableLine(name)}”.`,
    revocationSentences[revocation],
    now.state === 'signedOut' ? sayBack(now, context.situation()) : '',
  ];
  return {
    fields: { integration: summarise(now), revocation },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** A key is gone for good, so it has to be given again. */
function sayBack(server: Integration, at: Situation): string {
  return usesApiKey(server) ? `To give its key again: ${writeConnect(at)}.` : `To sign in again: ${writeSignIn(at)}.`;
}

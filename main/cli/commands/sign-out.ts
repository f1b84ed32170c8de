import { signOut as signOutIntegration } from '../../engine/leave/sign-out.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text/printable.ts';

/** `postern sign-out ID`: forgets the tokens, keeps the entry. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function signOut(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const signedOut = await signOutIntegration(ports, integration, access.signal);
  const { revocation } = signedOut;
  return {
    fields: { integration: summarise(signedOut.integration), revocation },
    text: `Signed out of “${printableLine(integration.name)}”. ${revocationSentences[revocation]}`.trimEnd(),
  };
}

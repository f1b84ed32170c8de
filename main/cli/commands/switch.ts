import { signInAgain } from '../../operations/connect.ts';
import { defaultSignInWay, signInWay } from '../asking/cli-interaction.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { signInScope } from '../opening/sign-in-scope.ts';
import { describeAccount, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';

/**
 * `postern switch ID`: signs in again and asks the service for a new login, so that another account can be chosen; the
 * access that is there stays until that has worked. Errors: those of a sign-in, API_KEY_INSTEAD, NOT_FOUND.
 */
export async function switchAccount(context: CommandContext): Promise<Answer> {
  const { engine, integration } = await useIntegration(context);
  const way = signInWay(context) ?? defaultSignInWay(process.env, process.platform);
  const switched = await signInAgain(signInScope(context, engine, way), integration, { freshLogin: true });
  context.steps.clear();
  const account = describeAccount(switched);
  const who = account === undefined ? '' : `, as ${printableLine(account)}`;
  return {
    fields: { integration: summarise(switched) },
    text: `“${printableLine(switched.name)}” is signed in again${who}.`,
  };
}

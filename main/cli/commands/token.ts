import { usableTokens } from '../../integration/refresh/access-token.ts';
import { refuseApiKey } from '../../integration/kept/api-key.ts';
import type { CommandContext } from '../command-context.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { useIntegration } from '../opening/use-integration.ts';

/** `postern token ID`: the one command that prints a secret. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND. */
export async function token(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  refuseApiKey(integration);
  const { accessToken, expiresAt } = await usableTokens(ports, integration, access.signal);
  context.output.say(expiresAt === undefined ? 'Ends: unknown' : `Ends: ${describeMoment(expiresAt, Date.now())}`);
  const revealed = accessToken.reveal();
  return { fields: { accessToken: revealed, expiresAt: expiresAt ?? null }, text: revealed };
}

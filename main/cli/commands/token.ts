import { requireTokens } from '../../engine/records/api-key.ts';
import { usableTokens } from '../../engine/refresh/access-token.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { CommandContext } from '../command-context.ts';
import { openIntegration } from '../opening/open-command-engine.ts';
import { minTtlValue } from '../options/parse-arguments.ts';
import { localTime } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';

/** `postern token ID`: the one command that prints a secret. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND, USAGE. */
export async function token(context: CommandContext): Promise<CommandResult> {
  const { accessToken, expiresAt, type, expiryNote, warnings } = await readUsableToken(context);
  context.output.info(expiryNote);
  for (const warning of warnings) context.output.notify(warning);
  const revealed = accessToken.reveal();
  return {
    fields: { accessToken: revealed, tokenType: type, expiresAt: expiresAt ?? null },
    text: revealed,
  };
}

interface UsableToken extends Pick<TokenSet, 'accessToken' | 'expiresAt'> {
  /** Scheme in the `Authorization` header (RFC 6750, RFC 9449). */
  readonly type: 'Bearer' | 'DPoP';
  /** When it expires, as text. */
  readonly expiryNote: string;
  /** Why the token may not be usable. */
  readonly warnings: readonly string[];
}

/**
 * The access token that a command hands to another program. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND,
 * API_KEY_INSTEAD, USAGE.
 */
export async function readUsableToken(context: CommandContext): Promise<UsableToken> {
  const minLifetime = minTtlValue(context.args);
  const { ports, integration, access } = await openIntegration(context);
  requireTokens(integration);
  const { accessToken, expiresAt, binding } =
    minLifetime === undefined
      ? await usableTokens(ports, integration, access.signal)
      : await (
          await import('../../engine/refresh/access-token.ts')
        ).lastingTokens(ports, integration, minLifetime, access.signal);
  const isBound = binding?.bindsAccess === true;
  const isShort = minLifetime !== undefined && expiresAt !== undefined && expiresAt - Date.now() < minLifetime;
  return {
    accessToken,
    ...(expiresAt !== undefined && { expiresAt }),
    type: isBound ? 'DPoP' : 'Bearer',
    expiryNote: `Expires: ${(expiresAt === undefined ? undefined : localTime(expiresAt)) ?? 'unknown'}`,
    warnings: [
      ...(isShort ? ['The service issues no token that lasts as long as --min-ttl.'] : []),
      ...(isBound ? ['This token is bound to a key of Postern (DPoP). No other program can use it.'] : []),
    ],
  };
}

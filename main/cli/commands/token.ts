import { requireTokens } from '../../engine/records/api-key.ts';
import { usableTokens } from '../../engine/refresh/access-token.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { minTtlValue } from '../options/parse-arguments.ts';
import { localTime } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';

/** `postern token ID`: the one command that prints a secret. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND, USAGE. */
export async function token(context: CommandContext): Promise<CommandResult> {
  const { accessToken, expiresAt, type, remark, warnings } = await handOutToken(context);
  context.output.info(remark);
  for (const warning of warnings) context.output.notify(warning);
  const revealed = accessToken.reveal();
  return {
    fields: { accessToken: revealed, tokenType: type, expiresAt: expiresAt ?? null },
    text: revealed,
  };
}

export interface HandedOutToken extends Pick<TokenSet, 'accessToken' | 'expiresAt'> {
  /** Scheme in the `Authorization` header (RFC 6750, RFC 9449). */
  readonly type: 'Bearer' | 'DPoP';
  /** When it expires, as text. */
  readonly remark: string;
  /** Why the token may not be usable. */
  readonly warnings: readonly string[];
}

/**
 * The access token that a command hands to another program. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND,
 * API_KEY_INSTEAD, USAGE.
 */
export async function handOutToken(context: CommandContext): Promise<HandedOutToken> {
  const leastLife = minTtlValue(context.args);
  const { ports, integration, access } = await useIntegration(context);
  requireTokens(integration);
  const { accessToken, expiresAt, binding } =
    leastLife === undefined
      ? await usableTokens(ports, integration, access.signal)
      : await (
          await import('../../engine/refresh/access-token.ts')
        ).lastingTokens(ports, integration, leastLife, access.signal);
  const isBound = binding?.bindsAccess === true;
  const isShort = leastLife !== undefined && expiresAt !== undefined && expiresAt - Date.now() < leastLife;
  return {
    accessToken,
    ...(expiresAt !== undefined && { expiresAt }),
    type: isBound ? 'DPoP' : 'Bearer',
    remark: `Expires: ${(expiresAt === undefined ? undefined : localTime(expiresAt)) ?? 'unknown'}`,
    warnings: [
      ...(isShort ? ['The service issues no token that lasts as long as --min-ttl.'] : []),
      ...(isBound ? ['This token is bound to a key of Postern (DPoP). No other program can use it.'] : []),
    ],
  };
}

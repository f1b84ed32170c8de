import type { CommandContext } from '../command-context.ts';
import { tokenForOthers } from '../opening/token-for-others.ts';
import type { Answer } from '../output/output.ts';

/** `postern token ID`: the one command that prints a secret. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND, USAGE. */
export async function token(context: CommandContext): Promise<Answer> {
  const { accessToken, expiresAt, type, remark, warnings } = await tokenForOthers(context);
  context.output.say(remark);
  for (const warning of warnings) context.output.tell(warning);
  const revealed = accessToken.reveal();
  return {
    fields: { accessToken: revealed, tokenType: type, expiresAt: expiresAt ?? null },
    text: revealed,
  };
}

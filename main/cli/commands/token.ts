import type { CommandContext } from '../command-context.ts';
import { tokenForOthers } from '../opening/token-for-others.ts';
import type { Answer } from '../output/output.ts';

/** `postern token ID`: the one command that prints a secret. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND, USAGE. */
export async function token(context: CommandContext): Promise<Answer> {
  const { accessToken, expiresAt, type, remarks } = await tokenForOthers(context);
  for (const remark of remarks) context.output.say(remark);
  const revealed = accessToken.reveal();
  return {
    fields: { accessToken: revealed, tokenType: type, expiresAt: expiresAt ?? null },
    text: revealed,
  };
}

import type { Integration } from '../../../shared/integration.ts';
import type { KeptSignIn } from '../../../shared/server-history.ts';
import type { Profile } from '../../host/open-profile.ts';
import { systemClock } from '../../host/system-ports.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import { isOutcome } from '../../errors/postern-error.ts';
import type { CommandContext } from '../command-context.ts';

/** Takes the requests of a sign-in, and what came of it. */
export type NoteSignIn<Result> = (
  signIn: KeptSignIn,
  ended: { readonly result: Result } | { readonly error: unknown },
) => Promise<void>;

/**
 * A sign-in of a command stands in the history of its server, request by request, as one of the window does. One that
 * failed is of the server that is in the list already; without one there is nothing that it could be of.
 */
export function noteSignIn(
  { history }: Pick<Profile, 'history'>,
  listed: Integration | undefined,
): NoteSignIn<{ readonly integration: Integration }> {
  return async (signIn, ended) => {
    const id = 'result' in ended ? ended.result.integration.id : listed?.id;
    if (id === undefined) return;
    const kept = await history();
    if ('error' in ended && isOutcome(ended.error))
      await kept.note(id, [{ kind: 'signInFailed', at: systemClock.now(), code: ended.error.code }]);
    await kept.keepSignIn(id, signIn);
  };
}

interface SigningIn {
  readonly ports: EnginePorts;
  readonly interaction: SignInInteraction;
}

/**
 * Ports and interaction of a command that signs in only where its server wants that: whether it did is known at the
 * end. What it did with the server afterwards is no part of the sign-in.
 */
export function noteSignInAtEnd(
  context: Pick<CommandContext, 'canAsk' | 'onEnd'>,
  { history }: Pick<Profile, 'history'>,
  { id }: Integration,
  { ports, interaction }: SigningIn,
): SigningIn {
  const at = systemClock.now();
  const trace = new Trace(systemClock);
  context.onEnd(async () => {
    const entries = trace.entries();
    const last = entries.findLastIndex(({ purpose }) => purpose !== 'mcp');
    if (entries.some(({ purpose }) => purpose === 'authorization'))
      await (await history()).keepSignIn(id, { at, entries: entries.slice(0, last + 1) });
  });
  return {
    ports: { ...ports, http: traceHttp(ports.http, trace) },
    interaction: traceInteraction(interaction, trace, { canAsk: context.canAsk }),
  };
}

import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { ProblemHistory } from '../../engine/kept/kept-failure.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import type { SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import type { Profile } from '../../host/open-profile.ts';
import { systemClock } from '../../host/system-ports.ts';
import type { User } from '../../operations/user.ts';
import { terminalUser } from '../asking/terminal-surface.ts';
import type { CommandContext } from '../command-context.ts';

interface SigningIn {
  readonly ports: EnginePorts;
  readonly signIn: SignInInteraction;
}

/**
 * Ports, user and history of a command that signs in only where its server wants that: whether it did, and how that ended, is
 * known at the end. What it did with the server afterwards is no part of the sign-in.
 */
export function noteSignInAtEnd(
  context: CommandContext,
  history: Profile['history'],
  problems: ProblemHistory,
  { id }: Integration,
  { ports, signIn }: SigningIn,
): { readonly ports: EnginePorts; readonly user: User; readonly problems: ProblemHistory } {
  const at = systemClock.now();
  const trace = new Trace(systemClock);
  const traced = traceInteraction(signIn, trace, { canAsk: context.canAsk });
  let state: FlowState | undefined;
  context.onEnd(async () => {
    if (!state) return;
    const { noteSignIn } = await import('../../operations/connect.ts');
    const failure = errorOf(state);
    if (failure !== undefined) trace.conclude(failure);
    const entries = trace.entries();
    const last = entries.findLastIndex(({ purpose }) => purpose !== 'mcp');
    const stores = { history: await history(), clock: systemClock };
    await noteSignIn(stores, id, { at, entries: entries.slice(0, last + 1) }, failure);
  });
  return {
    // That a sign-in failed is noted at the end, with its trace.
    problems: {
      ...problems,
      note: async (server, events) => {
        if (!state || errorOf(state) === undefined) await problems.note(server, events);
      },
    },
    ports: { ...ports, http: traceHttp(ports.http, trace) },
    user: terminalUser(context, {
      signIn: {
        ...traced,
        onEvent(event) {
          if (event.event === 'state') state = event.state;
          traced.onEvent(event);
        },
      },
    }),
  };
}

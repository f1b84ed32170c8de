import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import type { Trace } from './trace.ts';
import type { TraceRecord } from './trace-record.ts';

/**
 * The same interaction, with what discovery made of its answers, the browser's own request and every stop at the
 * credential dialog noted in `trace`. `canAsk`: a person may answer the dialog, and is told before it what came so far.
 */
export function traceInteraction(
  interaction: SignInInteraction,
  trace: Trace,
  { canAsk }: { readonly canAsk: boolean },
): SignInInteraction {
  let authorization: TraceRecord | undefined;
  return {
    ...interaction,
    onEvent(event) {
      if (event.event === 'step') trace.judge(event.step);
      if (event.event === 'callback') authorization?.answeredByBrowser();
      interaction.onEvent(event);
    },
    async askCredentials(request, signal) {
      if (request.error) trace.stop(request.error);
      if (canAsk) trace.tell();
      const answer = await interaction.askCredentials(request, signal);
      if (answer !== undefined) trace.goOn();
      return answer;
    },
    async open(pending, signal) {
      authorization = trace.begin({ purpose: 'authorization', method: 'GET', url: pending.url });
      await interaction.open(pending, signal);
    },
  };
}

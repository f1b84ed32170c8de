import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import type { Trace } from './trace.ts';
import type { TraceRecord } from './trace-record.ts';

/** The same interaction, with what discovery made of its answers and the browser's own request noted in `trace`. */
export function traceInteraction(interaction: SignInInteraction, trace: Trace): SignInInteraction {
  let authorization: TraceRecord | undefined;
  return {
    ...interaction,
    onEvent(event) {
      if (event.event === 'step') trace.judge(event.step);
      if (event.event === 'state') {
        if (event.state.name === 'exchanging') authorization?.answeredByBrowser();
        if (event.state.name === 'awaitingCredentials') trace.tell();
      }
      interaction.onEvent(event);
    },
    async open(pending, signal) {
      authorization = trace.begin({ purpose: 'authorization', method: 'GET', url: pending.url });
      await interaction.open(pending, signal);
    },
  };
}

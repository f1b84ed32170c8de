import { systemClock } from '../../engine/clock.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import type { SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { Trace } from '../../integration/trace/trace.ts';
import { traceHttp } from '../../integration/trace/traced-http.ts';
import { traceInteraction } from '../../integration/trace/traced-interaction.ts';
import type { CommandContext } from '../command-context.ts';
import { describeTraceEntry } from '../output/describe-trace.ts';
import { describeRemedy } from '../output/describe-remedy.ts';
import { hasOption } from '../options/option-values.ts';

/**
 * `--trace`: runs `work` with ports and interaction that note every request, and shows each as it is done with;
 * without the option, runs it as it is. The trace is shown in failure too, and says where the work stopped.
 */
export async function withTrace<Result>(
  context: CommandContext,
  ports: EnginePorts,
  interaction: SignInInteraction,
  work: (ports: EnginePorts, interaction: SignInInteraction) => Promise<Result>,
): Promise<Result> {
  const { args, output, steps } = context;
  if (!hasOption(args, 'trace')) return await work(ports, interaction);
  const trace = new Trace(systemClock, ({ remedy, ...entry }) => {
    steps.clear();
    const nextStep = remedy && output.advise(describeRemedy(remedy, context.situation()));
    output.event('request', { ...entry, ...(nextStep !== undefined && { nextStep }) });
    for (const line of describeTraceEntry(entry, nextStep)) output.say(line);
  });
  const { canAsk } = context;
  // An impatient person ends the program before the work has ended.
  context.onAnswer(() => trace.conclude());
  try {
    const traced = traceInteraction(interaction, trace, { canAsk });
    return await work({ ...ports, http: traceHttp(ports.http, trace) }, traced);
  } catch (error) {
    trace.conclude(error);
    throw error;
  }
}

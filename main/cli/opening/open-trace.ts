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
import type { NoteSignIn } from './note-sign-in.ts';

/**
 * Runs `work` with ports and interaction that note every request: for `--trace`, which shows each as it is done with,
 * and for `note`, which is told of all once the work has ended, whichever way. Without both, runs it as it is. The
 * trace is shown in failure too, and says where the work stopped.
 */
export async function withTrace<Result>(
  context: CommandContext,
  ports: EnginePorts,
  interaction: SignInInteraction,
  work: (ports: EnginePorts, interaction: SignInInteraction) => Promise<Result>,
  note?: NoteSignIn<Result>,
): Promise<Result> {
  const { canAsk } = context;
  const isShown = hasOption(context.args, 'trace');
  if (!isShown && !note) return await work(ports, interaction);
  const at = systemClock.now();
  const trace = isShown ? openShownTrace(context) : new Trace(systemClock);
  try {
    const traced = traceInteraction(interaction, trace, { canAsk });
    const result = await work({ ...ports, http: traceHttp(ports.http, trace) }, traced);
    await note?.({ at, entries: [...trace.entries()] }, { result });
    return result;
  } catch (error) {
    trace.conclude(error);
    await note?.({ at, entries: [...trace.entries()] }, { error });
    throw error;
  }
}

function openShownTrace(context: CommandContext): Trace {
  const { output, steps } = context;
  const trace = new Trace(systemClock, ({ remedy, ...entry }) => {
    steps.clear();
    const nextStep = remedy && output.advise(describeRemedy(remedy, context.situation()));
    output.event('request', { ...entry, ...(nextStep !== undefined && { nextStep }) });
    for (const line of describeTraceEntry(entry, nextStep)) output.tell(line);
  });
  // An impatient person ends the program before the work has ended.
  context.onAnswer(() => trace.conclude());
  return trace;
}

import type { Integration } from '../../../shared/integration.ts';
import { isOneOf, localCodes } from '../../../shared/error-codes.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import type { CommandContext } from '../command-context.ts';
import { printable, printableLine } from '../text/printable.ts';

/** Lines of its output that say why a server on this computer did not answer. */
const lines = 20;

/** Where a server on this computer fails, a person sees what it has written before they read that. */
export function tellOutput(
  { output, onAnswer }: Pick<CommandContext, 'output' | 'onAnswer'>,
  { local }: Pick<EnginePorts, 'local'>,
  { id, name, command }: Pick<Integration, 'id' | 'name' | 'command'>,
): void {
  if (!command) return;
  onAnswer((failure) => {
    if (failure === undefined || !isOneOf(localCodes, { code: failure })) return;
    const written = local.output(id).text.trimEnd();
    output.event('output', { output: written });
    // It has had no chance to.
    if (written === '' && failure === 'LOCAL_CONSENT') return;
    if (written === '') return output.say(`“${printableLine(name)}” has written nothing.`);
    output.say(`“${printableLine(name)}” has written:`);
    output.say(printable(written.split('\n').slice(-lines).join('\n')));
  });
}

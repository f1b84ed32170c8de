import { isOtherProgram } from '../../../shared/program-record.ts';
import { revokeApp } from '../../operations/apps.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import type { Answer } from '../output/output.ts';
import { offerEntries } from '../programs/confirm-changes.ts';
import { namedProgram } from '../programs/named-program.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';

/**
 * `postern unuse --all PROGRAM`: it may use nothing of Postern any more. Errors: PROGRAM_NOT_FOUND, USAGE, USER_CANCELLED.
 */
export async function revoke(context: CommandContext): Promise<Answer> {
  const { output } = context;
  const { engine } = await openCommandPrograms(context);
  const program = await namedProgram(context.args.positionals[0] ?? '', engine.records);
  const done = await revokeApp({ ...terminalSurface(context), programs: engine }, { program: program.id });
  const revoked = done?.revoked ?? [];
  output.print(`${program.name} may use nothing of Postern${revoked.length > 0 ? ' any more' : ''}.`);
  if (isOtherProgram(program.id))
    output.print('Take the lines of Postern out of its configuration: they lead nowhere now.');
  for (const takeOut of await offerEntries(context, engine, { kind: 'program', program })) await takeOut();
  return {
    fields: { revoked },
    text: undefined,
  };
}

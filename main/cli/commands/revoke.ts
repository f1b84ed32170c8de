import { PosternError } from '../../postern-error.ts';
import { withRevoked } from '../../programs/program-records.ts';
import type { CommandContext } from '../command-context.ts';
import { namedProgram } from '../named-program.ts';
import { openCommandPrograms } from '../open-command-programs.ts';
import { hasOption } from '../options/option-values.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';

/** `postern revoke PROGRAM`: it may use nothing of Postern any more. Errors: PROGRAM_NOT_FOUND, USAGE, USER_CANCELLED. */
export async function revoke(context: CommandContext): Promise<Answer> {
  const { args, canAsk, prompt, stdin, signal } = context;
  const program = namedProgram(args.positionals[0] ?? '');
  const { engine } = await openCommandPrograms(context);
  if (!hasOption(args, 'yes')) {
    if (!canAsk) throw new UsageError('Nobody can be asked here: say --yes to do this.', 'revoke');
    prompt(`Let ${program.name} use nothing of Postern any more? [y/N] `);
    const answer = await stdin.next(signal);
    if (!/^y(es)?$/iu.test(answer?.trim() ?? '')) throw new PosternError('USER_CANCELLED', { stage: 'programs' });
  }
  const now = Date.now();
  const records = await engine.records.change((before) => withRevoked(before, program, now));
  const revoked = records.filter((record) => record.program === program.id && record.revokedAt === now);
  return {
    fields: { revoked: revoked.map(({ id, program: of, name }) => ({ id, program: of, name })) },
    text:
      revoked.length === 0
        ? `${program.name} may use nothing of Postern.`
        : `${program.name} may use nothing of Postern any more. Its entries stay; take them out with: postern unuse ID ${program.id}`,
  };
}

import { withRevoked } from '../../programs/program-records.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import type { CommandContext } from '../command-context.ts';
import { namedProgram } from '../programs/named-program.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import type { Answer } from '../output/output.ts';

/** `postern revoke PROGRAM`: it may use nothing of Postern any more. Errors: PROGRAM_NOT_FOUND, USAGE, USER_CANCELLED. */
export async function revoke(context: CommandContext): Promise<Answer> {
  const program = namedProgram(context.args.positionals[0] ?? '');
  const { engine } = await openCommandPrograms(context);
  const records = await engine.records.list();
  const concerned = records.filter((record) => record.program === program.id && record.revokedAt === undefined);
  await askForYes(context, {
    event: { revokes: concerned.map(({ id, program: of, name }) => ({ id, program: of, name })) },
    lines: [`${program.name} will be able to use nothing of Postern any more.`],
  });
  const now = Date.now();
  const after = await engine.records.change((before) => withRevoked(before, program, now));
  const revoked = after.filter((record) => record.program === program.id && record.revokedAt === now);
  return {
    fields: { revoked: revoked.map(({ id, program: of, name }) => ({ id, program: of, name })) },
    text:
      revoked.length === 0
        ? `${program.name} may use nothing of Postern.`
        : `${program.name} may use nothing of Postern any more. Its entries stay; take them out with: postern unuse ID ${program.id}`,
  };
}

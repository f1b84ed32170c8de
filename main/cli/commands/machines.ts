import type { ProgramRecord } from '../../../shared/program-record.ts';
import { displayText } from '../../address/display-text.ts';
import { secretOf } from '../../apps/entry/our-entries.ts';
import { otherProgram } from '../../apps/records/program-records.ts';
import { keptSecret, programSecret } from '../../apps/records/program-secret.ts';
import { findProgram } from '../../apps/table/table.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { isRecordId } from '../../gateway/permissions/program-access.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { Command, CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { programNotFound } from '../programs/named-program.ts';

/**
 * `postern headers PROGRAM`, which programs run. Errors: PROGRAM_NOT_FOUND, PROGRAM_UNKNOWN, PROGRAM_REVOKED,
 * PROGRAM_SECRET_LOST, KC_*, CFG_*.
 */
export async function headers(context: CommandContext): Promise<Answer> {
  const { ports, programs } = await openCommandEngine(context);
  const word = context.args.positionals[0] ?? '';
  const record = findAllowed(await programs.list(), word);
  if (!record) throw await programNotFound(word, programs);
  const vault = await ports.vault();
  const program = findProgram(record.program) ?? otherProgram(record.name, record.program);
  // Its entries hold the earlier secret: a new one would shut them out.
  if (record.secretHash !== undefined && secretOf(program, true) === 'header' && !(await keptSecret(vault, record)))
    throw new PosternError('PROGRAM_SECRET_LOST', about(program));
  const secret = await programSecret({ vault, programs, random: systemRandom }, record);
  const fields = { Authorization: `Bearer ${secret.reveal()}` };
  return { fields, text: JSON.stringify(fields) };
}

/** By its own id, or by the program's; `undefined`: there is no such program. Errors: PROGRAM_UNKNOWN, PROGRAM_REVOKED. */
function findAllowed(records: readonly ProgramRecord[], wanted: string): ProgramRecord | undefined {
  const known = findProgram(wanted);
  const ids = [wanted.toLowerCase(), known?.id, otherProgram(wanted).id];
  const byId = records.filter(({ id }) => id === wanted);
  const own = byId.length > 0 ? byId : records.filter(({ program }) => ids.includes(program));
  const standing = own.filter(({ revokedAt }) => revokedAt === undefined);
  const record = standing.findLast(({ integrations }) => integrations.length > 0);
  if (record) return record;
  const [revoked] = standing.length > 0 ? [] : own;
  if (revoked) throw new PosternError('PROGRAM_REVOKED', about({ id: revoked.program, name: revoked.name }));
  const named = standing[0] ? { id: standing[0].program, name: standing[0].name } : known;
  if (named) throw new PosternError('PROGRAM_UNKNOWN', about(named));
  if (isRecordId(wanted)) throw new PosternError('PROGRAM_UNKNOWN', about());
  return undefined;
}

/** What an error says of a program; without one an entry names what is not known any more. */
function about(program?: { readonly id: string; readonly name: string }) {
  return {
    stage: 'gateway',
    detail: { any: true, ...(program && { program: displayText(program.name) }) },
    remedy: { kind: 'allow-program', ...(program && { program: program.id }) },
  } as const;
}

/** As the first word it is the pipe (`main/cli/start/run-process.ts`), which has standard output to itself. */
export const proxy: Command = async () => {
  throw new UsageError('Write “proxy” directly after “postern”.', 'proxy');
};

import { programSecret } from '../../programs/records/program-secret.ts';
import { systemRandom } from '../../engine/random.ts';
import { PosternError } from '../../postern-error.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import type { Answer } from '../output/output.ts';

/** `postern headers PROGRAM`, which programs run. Errors: PROGRAM_UNKNOWN, KC_*, CFG_*. */
export async function headers(context: CommandContext): Promise<Answer> {
  const wanted = context.args.positionals[0] ?? '';
  const { ports, programs } = await openCommandEngine(context);
  const records = (await programs.list()).filter(({ revokedAt }) => revokedAt === undefined);
  const record = records.find(({ id }) => id === wanted) ?? records.findLast(({ program }) => program === wanted);
  if (!record) throw new PosternError('PROGRAM_UNKNOWN', { stage: 'gateway' });
  const secret = await programSecret({ vault: await ports.vault(), programs, random: systemRandom }, record);
  const fields = { Authorization: `Bearer ${secret.reveal()}` };
  return { fields, text: JSON.stringify(fields) };
}

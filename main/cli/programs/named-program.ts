import type { ProgramRecords } from '../../gateway-ports.ts';
import { closestWord } from '../../closest-word.ts';
import { findKnown, knownPrograms } from '../../programs/records/other-program.ts';
import type { Program } from '../../programs/table/program.ts';
import { PosternError } from '../../postern-error.ts';

/** The program that a person names: of the table, or one that they have added. Errors: PROGRAM_NOT_FOUND, CFG_*. */
export async function namedProgram(word: string, records: Pick<ProgramRecords, 'list'>): Promise<Program> {
  const program = findKnown(word, await records.list());
  if (!program) throw await programNotFound(word, records);
  return program;
}

/** With the one that was probably meant. */
export async function programNotFound(word: string, records: Pick<ProgramRecords, 'list'>): Promise<PosternError> {
  const known = await knownPrograms({ records });
  const near = closestWord(
    word,
    known.flatMap(({ id, name }) => [id, name]),
  );
  const meant = known.find(({ id, name }) => near === id || near === name)?.id;
  return new PosternError('PROGRAM_NOT_FOUND', {
    stage: 'programs',
    detail: { unknown: 1, ...(meant !== undefined && { meant }) },
  });
}

/** Each once. Errors: as of `namedProgram`. */
export async function namedPrograms(
  words: readonly string[],
  records: Pick<ProgramRecords, 'list'>,
): Promise<readonly Program[]> {
  const named = await Promise.all(words.map((word) => namedProgram(word, records)));
  return [...new Map(named.map((program) => [program.id, program])).values()];
}

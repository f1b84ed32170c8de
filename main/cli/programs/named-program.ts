import type { Program } from '../../programs/program.ts';
import { findProgram } from '../../programs/table.ts';
import { PosternError } from '../../postern-error.ts';

/** The program that a person names. Errors: PROGRAM_NOT_FOUND. */
export function namedProgram(word: string): Program {
  const program = findProgram(word);
  if (!program) throw new PosternError('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { unknown: 1 } });
  return program;
}

import { editorPrograms, jetbrainsPrograms } from './editor-programs.ts';
import type { Program } from './program.ts';
import { claudePrograms, terminalPrograms } from './terminal-programs.ts';

/** Every program that Postern can add itself to. What is not in here is not known to work. */
export const programs: readonly Program[] = [
  ...claudePrograms,
  ...editorPrograms,
  ...terminalPrograms,
  ...jetbrainsPrograms,
];

/**
 * By id, by name, or by the beginning of one when no other has it. `undefined`: there is none, or there are several.
 */
export function findProgram(word: string): Program | undefined {
  const wanted = bare(word);
  const exact = programs.find(({ id, name }) => bare(id) === wanted || bare(name) === wanted);
  if (exact || wanted === '') return exact;
  const beginning = programs.filter(({ id }) => bare(id).startsWith(wanted));
  return beginning.length === 1 ? beginning[0] : undefined;
}

/** The program with this id or name, but for case and what stands between words: for names that an app gives itself. */
export function findNamedProgram(word: string): Program | undefined {
  const wanted = plain(word);
  return programs.find(({ id, name }) => plain(id) === wanted || plain(name) === wanted);
}

function plain(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

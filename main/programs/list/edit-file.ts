import { ProgramFileFault } from '../../program-ports.ts';
import type { Entry, EntryList, FileContent, Making } from './entry-list.ts';
import { ListFault } from './list-fault.ts';
import { openList } from './open-list.ts';
import type { Program } from '../table/program.ts';
import { proveAddition, proveRemoval, proveReplacement } from './prove-change.ts';

/** The entry to write under its name; `undefined`: it is to go. */
export interface Edit {
  readonly name: string;
  readonly entry: Entry | undefined;
}

const formatNames: Readonly<Record<Program['format'], string>> = {
  json: 'JSON',
  jsonc: 'JSON',
  toml: 'TOML',
  'yaml-map': 'YAML',
  'yaml-list': 'YAML',
};

/** What a file holds. Errors: PROGRAM_FILE_DAMAGED, PROGRAM_FILE_LAYOUT. */
export function readContent(program: Program, path: string, text: string | undefined): FileContent {
  return withFaults(program, path, () => openList(program).read(text ?? ''));
}

/**
 * The text with all edits made, each proved. `made`: what our first entry had made there, and goes with the last one.
 * Errors: PROGRAM_FILE_DAMAGED, PROGRAM_FILE_LAYOUT.
 */
export function editText(
  program: Program,
  path: string,
  text: string,
  edits: readonly Edit[],
  made: Making = 'entry',
): { readonly text: string; readonly made: Making } {
  return withFaults(program, path, () => {
    const list = openList(program);
    let [edited, most]: [string, Making] = [text, 'entry'];
    for (const edit of edits) {
      const step = editOnce(list, edited, edit, made);
      if (step.made !== 'entry') most = step.made;
      edited = step.text;
    }
    return { text: edited, made: most };
  });
}

/** A whole file with one entry and nothing else, for a person to paste. */
export function snippet(program: Program, { name, entry }: Edit): string {
  return entry === undefined ? '' : openList(program).add('', name, entry).text.trimEnd();
}

function editOnce(list: EntryList, before: string, { name, entry }: Edit, made: Making) {
  const isThere = (list.read(before).entries ?? []).some(([known]) => known === name);
  if (entry === undefined) {
    if (!isThere) return { text: before, made: 'entry' as const };
    const after = list.remove(before, name, made);
    proveRemoval(list, { before, after, name });
    return { text: after, made: 'entry' as const };
  }
  if (isThere) {
    const after = list.replace(before, name, entry);
    proveReplacement(list, { before, after, name }, entry);
    return { text: after, made: 'entry' as const };
  }
  const added = list.add(before, name, entry);
  proveAddition(list, { before, after: added.text, name }, entry);
  return added;
}

function withFaults<Result>(program: Program, path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    throw new ProgramFileFault(error.kind, { file: path, format: formatNames[program.format] });
  }
}

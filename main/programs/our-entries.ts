import type { FileContent } from './entry-list.ts';
import type { ProgramEngine } from './program-engine.ts';
import { type PipeWords, readEntry, readPipeWords } from './read-entry.ts';

export interface OurEntry extends PipeWords {
  readonly name: string;
}

/** Entries that lead to this profile. Those of another profile of Postern are somebody else's. */
export function ourEntries(
  { profileFolder }: Pick<ProgramEngine, 'profileFolder'>,
  { entries = [] }: FileContent,
): readonly OurEntry[] {
  return entries.flatMap(([name, value]) => {
    const pipe = readPipeWords(readEntry(value));
    return pipe?.profileFolder === profileFolder ? [{ name, ...pipe }] : [];
  });
}

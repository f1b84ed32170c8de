import { existsSync, readFileSync } from 'node:fs';
import { generateMutants } from './operator.ts';
import type { GeneratedMutant } from './operator.ts';

/** Names a file with the mutants of a run, from which vitest's processes generate them again. */
export const sampleVariable = 'POSTERN_MUTANT_SAMPLE';

/** Mutants of the sample; a mutant's ID is its index. */
export function readSample(): GeneratedMutant[] {
  const file = process.env[sampleVariable];
  if (file === undefined || !existsSync(file)) throw new Error(`${sampleVariable} does not name a file`);
  const names = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const known = new Map(generateMutants().map((mutant) => [mutant.name, mutant]));
  return names.map((name) => {
    const mutant = known.get(name);
    if (mutant === undefined) throw new Error(`Mutant ${name} no longer exists`);
    return mutant;
  });
}

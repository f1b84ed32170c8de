import { existsSync, readFileSync } from 'node:fs';
import { generateMutants } from './operator.ts';
import type { GeneratedMutant } from './operator.ts';

/** The file with the names of the mutants of one run: read by vitest's processes, which make the same ones again. */
export const sampleVariable = 'POSTERN_MUTANT_SAMPLE';

/** Each by its id, its index. */
export function readSample(): GeneratedMutant[] {
  const file = process.env[sampleVariable];
  if (file === undefined || !existsSync(file)) throw new Error(`${sampleVariable} names no file`);
  const names = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const known = new Map(generateMutants().map((mutant) => [mutant.name, mutant]));
  return names.map((name) => {
    const mutant = known.get(name);
    if (mutant === undefined) throw new Error(`There is no mutant ${name} any more`);
    return mutant;
  });
}

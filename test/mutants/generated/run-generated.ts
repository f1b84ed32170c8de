import { acceptedSurvivors } from '../accepted-survivors.ts';
import { chooseMutants } from './choose.ts';
import type { Choice } from './choose.ts';
import { mutatedFolders } from './operator.ts';
import { tryMutants } from './try-mutants.ts';
import type { Outcome, Tests } from './try-mutants.ts';

/** Percentage of mutants, without accepted survivors, that tests must notice. */
const requiredScore = 97;

export interface Result {
  readonly passed: number;
  readonly failed: number;
  /** Names of failed mutants. */
  readonly titles: readonly string[];
}

/** Tries generated mutants and prints the survivors and the score of each folder. */
export async function runGenerated(choice: Choice, tests: Tests): Promise<Result> {
  const mutants = chooseMutants(choice);
  console.log(
    `generated mutants: ${mutants.length}, by ${'files' in tests ? tests.files.join(', ') : `${tests.join(', ')} tests`}`,
  );
  const outcomes = await tryMutants(mutants, tests, (text) => console.log(text));
  const isAccepted = ({ mutant }: Outcome): boolean => acceptedSurvivors.has(mutant.name);
  const survivors = outcomes.filter((outcome) => outcome.noticedBy === undefined && !isAccepted(outcome));
  for (const { mutant, reachedBy } of survivors) {
    const reach = reachedBy === 0 ? 'no test reaches it' : `${reachedBy} tests reach it`;
    console.log(`NOT NOTICED  ${mutant.name}: ${mutant.file}:${mutant.line}, ${reach}`);
  }
  for (const { mutant } of outcomes.filter((outcome) => outcome.noticedBy !== undefined && isAccepted(outcome))) {
    console.log(`noticed, so remove it from the accepted survivors  ${mutant.name}`);
  }
  const counted = outcomes.filter((outcome) => outcome.noticedBy !== undefined || !isAccepted(outcome));
  for (const folder of mutatedFolders) {
    const own = counted.filter(({ mutant }) => mutant.folder === folder);
    if (own.length > 0) console.log(`score of main/${folder}: ${describeScore(own)}`);
  }
  const accepted = outcomes.length - counted.length;
  console.log(`score: ${describeScore(counted)}; plus ${accepted} accepted survivors`);
  const passed = counted.length - survivors.length;
  if (100 * passed >= requiredScore * counted.length) return { passed, failed: 0, titles: [] };
  return { passed, failed: survivors.length, titles: survivors.map(({ mutant }) => mutant.name) };
}

function describeScore(outcomes: readonly Outcome[]): string {
  const noticed = outcomes.filter(({ noticedBy }) => noticedBy !== undefined).length;
  const percent = outcomes.length === 0 ? 100 : (100 * noticed) / outcomes.length;
  return `${percent.toFixed(1)} % (${noticed} of ${outcomes.length})`;
}

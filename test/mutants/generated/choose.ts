import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { generateMutants, mutatedFolders } from './operator.ts';
import type { GeneratedMutant } from './operator.ts';

export interface Choice {
  /** A file or folder below the project; all when there is none. */
  readonly only: readonly string[];
  /** How many, at least; the same ones each time. */
  readonly sample: number | undefined;
  /** Only of files that differ from the last commit. */
  readonly isChanged: boolean;
  /** `part` of `parts`, counted from 1. */
  readonly part: number;
  readonly parts: number;
}

const root = join(import.meta.dirname, '../../..');

export function chooseMutants({ only, sample, isChanged, part, parts }: Choice): GeneratedMutant[] {
  const changed = isChanged ? changedFiles() : undefined;
  const isIn = (file: string, place: string): boolean =>
    file === place || file.startsWith(`${place.replace(/\/$/u, '')}/`);
  const chosen = generateMutants().filter(
    ({ file }) =>
      (only.length === 0 || only.some((place) => isIn(file, place))) && (changed === undefined || changed.has(file)),
  );
  const sampled = sample === undefined ? chosen : sampleOf(chosen, sample);
  return sampled.filter((_, index) => index % parts === part - 1);
}

/** Half of it in proportion, half spread evenly over the folders: a small one is heard as well. */
function sampleOf(mutants: readonly GeneratedMutant[], size: number): GeneratedMutant[] {
  return mutatedFolders.flatMap((folder) => {
    const own = mutants.filter((mutant) => mutant.folder === folder);
    const share = size / 2 / mutatedFolders.length + (size / 2) * (own.length / Math.max(1, mutants.length));
    return own
      .map((mutant) => ({ mutant, rank: createHash('sha256').update(mutant.name).digest('hex') }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .slice(0, Math.ceil(share))
      .map(({ mutant }) => mutant);
  });
}

function changedFiles(): Set<string> {
  const { stdout } = spawnSync('git', ['diff', '--name-only', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return new Set(stdout.split('\n').filter(Boolean));
}

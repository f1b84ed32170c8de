import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { generateMutants, mutatedFolders } from './operator.ts';
import type { GeneratedMutant } from './operator.ts';

export interface Choice {
  /** Project files or folders. Empty: all. */
  readonly only: readonly string[];
  /** Minimum size of the sample, which is deterministic. */
  readonly sample: number | undefined;
  /** Only files that differ from the last commit. */
  readonly isChanged: boolean;
  /** `part` of `parts`, counted from 1. */
  readonly part: number;
  readonly parts: number;
}

const root = join(import.meta.dirname, '../../..');

export function chooseMutants({ only, sample, isChanged, part, parts }: Choice): GeneratedMutant[] {
  const changed = isChanged ? changedFiles() : undefined;
  const isIn = (file: string, folder: string): boolean =>
    file === folder || file.startsWith(`${folder.replace(/\/$/u, '')}/`);
  const chosen = generateMutants().filter(
    ({ file }) =>
      (only.length === 0 || only.some((folder) => isIn(file, folder))) && (changed === undefined || changed.has(file)),
  );
  const sampled = sample === undefined ? chosen : sampleOf(chosen, sample);
  return sampled.filter((_, index) => index % parts === part - 1);
}

/** Half in proportion to each folder's mutants, half spread evenly, so that small folders are represented. */
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

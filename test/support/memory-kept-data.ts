import type { PosternError } from '../../main/errors/postern-error.ts';
import type { KeptData } from '../../main/ports.ts';

export interface MemoryKeptData extends KeptData {
  /** Names of the steps so far. */
  readonly steps: string[];
  /** What the keychain answers from now on. */
  refusal: PosternError | undefined;
}

/** What there is to delete around an engine whose vault and list are in memory: nothing, and its steps are counted. */
export function createMemoryKeptData(): MemoryKeptData {
  const kept: MemoryKeptData = {
    steps: [],
    refusal: undefined,
    prepare: async () => void kept.steps.push('prepare'),
    async deleteSecrets() {
      kept.steps.push('secrets');
      if (kept.refusal) throw kept.refusal;
      return 1;
    },
    deleteRest: async () => void kept.steps.push('rest'),
  };
  return kept;
}

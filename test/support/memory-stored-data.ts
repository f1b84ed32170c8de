import type { PosternError } from '../../main/errors/postern-error.ts';
import type { StoredData } from '../../main/ports.ts';

export interface MemoryStoredData extends StoredData {
  /** Names of the steps so far. */
  readonly steps: string[];
  /** The keychain error from now on. */
  refusal: PosternError | undefined;
}

/** Stored data of an engine whose vault and list are in memory: nothing to delete, but the steps are recorded. */
export function createMemoryStoredData(): MemoryStoredData {
  const data: MemoryStoredData = {
    steps: [],
    refusal: undefined,
    prepare: async () => void data.steps.push('prepare'),
    async deleteSecrets() {
      data.steps.push('secrets');
      if (data.refusal) throw data.refusal;
      return 1;
    },
    deleteRest: async () => void data.steps.push('rest'),
  };
  return data;
}

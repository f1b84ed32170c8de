import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Short files that last long: they start processes and wait for them. */
const longFiles = [
  'contract/start.test.ts',
  'contract/gateway/hand-over.test.ts',
  'contract/gateway/kills.test.ts',
  'contract/recipes.test.ts',
];

/**
 * Files of which nobody knows how long they take come in the order of their size. One that lasts longest must not come
 * last: all other processes would have nothing to do but wait for it.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

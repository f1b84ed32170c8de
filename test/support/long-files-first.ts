import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Small files that run long, because they start processes and wait for them. */
const longFiles = [
  'contract/start.test.ts',
  'contract/documented-commands.test.ts',
  'contract/served-commands.test.ts',
  'contract/unattended-vault.test.ts',
  'contract/completion.test.ts',
  'contract/local-command.test.ts',
  'contract/pipe/start.test.ts',
  'contract/gateway/handover.test.ts',
];

/**
 * Files of unknown duration are sorted by size. The longest must not come last, or all other workers would wait for it.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

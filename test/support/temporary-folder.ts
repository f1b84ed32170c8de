import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterTest } from './after-test.ts';

/** A folder of this test's own (0700), gone after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-test-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterTest } from './after-test.ts';

/** A private folder for the current test (0700), deleted afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-test-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

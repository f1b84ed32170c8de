import type { Secret } from './secret.ts';

/** Why a file that should hold an assertion is not read. `foreign`: somebody else can write what it says. */
export type AssertionFileFault = 'missing' | 'denied' | 'not-a-file' | 'large' | 'foreign';

/** Files that somebody else renews, and that say who this computer, or a person on it, is. */
export interface AssertionFiles {
  /** What stands in it now, without the white space around it. Never rejects. */
  read(path: string): Promise<Secret | AssertionFileFault>;
}

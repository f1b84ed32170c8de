import { describe, expect, it } from 'vitest';
import { node, runScript, supportScript } from '../support/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Outcome {
  /** Exit codes in order; `null` for a killed process. */
  readonly ends: readonly (number | null)[];
  readonly entries: readonly string[];
  readonly named: readonly string[];
  readonly profiles: Readonly<Record<string, readonly string[]>>;
}

describe('first connections that fail, and some that are killed', () => {
  it('leave no entry in the keyring that no file names, and no half-written file', async () => {
    const shell = ['bash', supportScript('with-keychain.sh'), '--home', temporaryFolder()];
    const script = node(supportScript('storage/fail-first-connects.ts'), temporaryFolder(), '6');
    const { lines } = await runScript([...shell, ...script], { quiet: true }).ended;
    const { ends, entries, named, profiles } = JSON.parse(lines.at(-1) ?? '{}') as Outcome;
    expect(ends).toContain(null);
    expect(ends.filter((code) => code !== null).every((code) => code === 1)).toBe(true);
    expect(entries).toEqual(named);
    expect(
      Object.values(profiles)
        .flat()
        .filter((file) => /^vault[.]/u.test(file)),
    ).toEqual([]);
  });
});

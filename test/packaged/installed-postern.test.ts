import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { findSignatureFaults } from '../../scripts/package/check-signatures.ts';
import { findHeededSwitches } from './kit/heeded-switches.ts';
import { livesWithoutKeytar, withAlteredArchive, withAppFolder, withForeignKeytar } from './kit/tampering.ts';
import { testedPostern } from './kit/tested-postern.ts';
import type { TestedPostern } from './kit/tested-postern.ts';

/**
 * Checks that need the real installation, on each system: `POSTERN_INSTALLED=<place> npm run test:installed`, with the
 * `place` that scripts/package/smoke.ts takes. `.github/workflows/package.yml` runs them for every package.
 */
const place = process.env['POSTERN_INSTALLED'];
if (place === undefined && process.env['npm_lifecycle_event'] === 'test:installed')
  throw new Error('POSTERN_INSTALLED has to say where the program was installed');

function installed({ skip }: Pick<TestContext, 'skip'>): TestedPostern {
  if (place === undefined)
    return skip('needs an installed program of real Electron (POSTERN_INSTALLED); the workflow "Package" has one');
  return testedPostern(place);
}

describe('installed Postern', () => {
  it(
    'obeys no switch that lets others run or inspect code in it (PK-02, IP-20)',
    { timeout: 600_000 },
    async (context) => {
      expect(await findHeededSwitches(installed(context))).toEqual([]);
    },
  );

  it('does not start with a changed archive, except on Linux, as SECURITY.md says (PK-03)', async (context) => {
    const postern = installed(context);
    // If Electron starts to check it on Linux, SECURITY.md can promise more.
    expect(await withAlteredArchive(postern)).toBe(postern.platform === 'linux' ? 'runs it' : 'refuses');
  });

  it('does not load code beside its archive (PK-03)', async (context) => {
    expect(await withAppFolder(installed(context))).toBe('refuses');
  });

  it('loads only its publisher’s keychain library on macOS; other systems do not check (PK-04)', async (context) => {
    const postern = installed(context);
    if (postern.platform === 'win32') context.skip('a library is made by `cc`, which Windows has not');
    expect(await withForeignKeytar(postern)).toBe(isHardened(postern) ? 'refuses' : 'runs it');
  });

  it('runs with an invalid keychain library and reports that there is no keychain (PK-04)', async (context) => {
    expect(await livesWithoutKeytar(installed(context))).toBe(true);
  });

  it('is signed as its system requires (PK-05)', async (context) => {
    const postern = installed(context);
    if (process.env['POSTERN_SIGNED'] !== 'true') context.skip('is not packaged for a release, and not signed');
    const { platform, executable } = postern;
    expect(findSignatureFaults(platform === 'win32' ? executable : postern.place, platform)).toEqual([]);
  });
});

/** Whether macOS lets it load only its publisher's libraries; a test package has no publisher. */
function isHardened({ platform, place: app }: TestedPostern): boolean {
  if (platform !== 'darwin') return false;
  const { stderr } = runTool('codesign', ['--display', '--verbose=2', app]);
  return /^CodeDirectory .*flags=\S*runtime/m.test(stderr);
}

function runTool(file: string, words: readonly string[]): { readonly stderr: string } {
  // All its output is on standard error.
  return { stderr: execFileSync('/bin/sh', ['-c', '"$@" 2>&1', 'sh', file, ...words], { encoding: 'utf8' }) };
}

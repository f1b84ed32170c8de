import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { findSignatureFaults } from '../../scripts/package/check-signatures.ts';
import { findHeededSwitches } from './kit/heeded-switches.ts';
import { livesWithoutKeytar, withAlteredArchive, withAppFolder, withForeignKeytar } from './kit/tampering.ts';
import { testedProgram } from './kit/tested-program.ts';
import type { TestedProgram } from './kit/tested-program.ts';

/**
 * What only the real program can show, on each system: `POSTERN_INSTALLED=<place> npm run test:installed`, where
 * `place` is what scripts/package/smoke.ts takes. `.github/workflows/package.yml` does so with every package.
 */
const place = process.env['POSTERN_INSTALLED'];
if (place === undefined && process.env['npm_lifecycle_event'] === 'test:installed')
  throw new Error('POSTERN_INSTALLED has to say where the program was installed');

function installed({ skip }: Pick<TestContext, 'skip'>): TestedProgram {
  if (place === undefined)
    return skip('needs an installed program of real Electron (POSTERN_INSTALLED); the workflow "Package" has one');
  return testedProgram(place);
}

describe('the installed program', () => {
  it(
    'heeds nothing by which others run code in it or look into it (PK-02, IP-20)',
    { timeout: 600_000 },
    async (context) => {
      expect(await findHeededSwitches(installed(context))).toEqual([]);
    },
  );

  it('does not start with another byte in its archive, but on Linux, as SECURITY.md says (PK-03)', async (context) => {
    const program = installed(context);
    // If Electron begins to check it on Linux, SECURITY.md can promise more.
    expect(await withAlteredArchive(program)).toBe(program.platform === 'linux' ? 'runs it' : 'refuses');
  });

  it('does not load a program beside its archive (PK-03)', async (context) => {
    expect(await withAppFolder(installed(context))).toBe('refuses');
  });

  it('loads no keychain library but that of its publisher, on macOS; elsewhere it does not notice (PK-04)', async (context) => {
    const program = installed(context);
    if (program.platform === 'win32') context.skip('a library is made by `cc`, which Windows has not');
    expect(await withForeignKeytar(program)).toBe(isHardened(program) ? 'refuses' : 'runs it');
  });

  it('runs with a keychain library that is none, and says that there is no keychain (PK-04)', async (context) => {
    expect(await livesWithoutKeytar(installed(context))).toBe(true);
  });

  it('is signed as its system wants it (PK-05)', async (context) => {
    const program = installed(context);
    if (process.env['POSTERN_SIGNED'] !== 'true') context.skip('is not packaged for a release, and not signed');
    const { platform, executable } = program;
    expect(findSignatureFaults(platform === 'win32' ? executable : program.place, platform)).toEqual([]);
  });
});

/** Whether macOS lets it load its publisher's libraries alone; a package for trying out has no publisher. */
function isHardened({ platform, place: app }: TestedProgram): boolean {
  if (platform !== 'darwin') return false;
  const { stderr } = runTool('codesign', ['--display', '--verbose=2', app]);
  return /^CodeDirectory .*flags=\S*runtime/m.test(stderr);
}

function runTool(file: string, words: readonly string[]): { readonly stderr: string } {
  // It tells everything on its standard error.
  return { stderr: execFileSync('/bin/sh', ['-c', '"$@" 2>&1', 'sh', file, ...words], { encoding: 'utf8' }) };
}

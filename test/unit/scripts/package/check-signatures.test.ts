import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findSignatureFaults } from '../../../../scripts/package/check-signatures.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Fake tools of another system, which record their arguments and give scripted results. */
function useTools(answers: Readonly<Record<string, string>>): () => string {
  const folder = temporaryFolder();
  const asked = path.join(folder, 'asked');
  for (const [name, script] of Object.entries(answers)) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>'${asked}'\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:/usr/bin:/bin`;
  onTestFinished(() => void (process.env['PATH'] = before));
  return () => readFileSync(asked, 'utf8');
}

const fine = { codesign: 'exit 0', spctl: 'exit 0', xcrun: 'exit 0' };

describe.skipIf(process.platform === 'win32')("a package's signature (PK-05)", () => {
  it('is checked with three tools on macOS', () => {
    const asked = useTools(fine);
    expect(findSignatureFaults('out/Postern.app', 'darwin')).toEqual([]);
    expect(asked().split('\n')).toEqual([
      'codesign --verify --deep --strict --verbose=2 out/Postern.app',
      'spctl --assess --type execute --verbose=2 out/Postern.app',
      'xcrun stapler validate out/Postern.app',
      '',
    ]);
  });

  it.each([
    ['codesign', 'signed and intact'],
    ['spctl', 'accepted by Gatekeeper'],
    ['xcrun', 'notarized, with the ticket attached'],
  ])('is reported missing if %s rejects it', (tool, shows) => {
    useTools({ ...fine, [tool]: 'echo no >&2; exit 3' });
    expect(findSignatureFaults('out/Postern.app', 'darwin')).toEqual([`out/Postern.app is not ${shows}: no`]);
  });

  it('is reported missing if a tool is not installed', () => {
    useTools({ codesign: 'exit 0', spctl: 'exit 0' });
    expect(findSignatureFaults('out/Postern.app', 'darwin')).toEqual([expect.stringContaining('ENOENT')]);
  });

  it.each([
    ['Valid True', []],
    ['Valid False', ['a.exe is not signed with a time stamp: Valid False']],
    ['HashMismatch True', ['a.exe is not signed with a time stamp: HashMismatch True']],
    ['NotSigned False', ['a.exe is not signed with a time stamp: NotSigned False']],
    ['', ['a.exe is not signed with a time stamp: ']],
  ])('follows Authenticode on Windows: %j', (output, faults) => {
    const asked = useTools({ powershell: `echo '${output}'` });
    expect(findSignatureFaults('a.exe', 'win32')).toEqual(faults);
    // A name cannot become part of the script.
    expect(asked()).not.toContain('a.exe');
  });
});

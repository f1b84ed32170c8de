import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findElectronFaults, readPublicationTimes } from '../../../../scripts/release/check-electron.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { runScript } from './run-script.ts';

const times = {
  created: '2013-01-01T00:00:00.000Z',
  modified: '2026-11-19T00:00:00.000Z',
  '42.0.0': '2026-05-05T12:00:00.000Z',
  '43.0.0': '2026-06-30T12:00:00.000Z',
  '44.0.0': '2026-08-25T12:00:00.000Z',
  '44.9.0': '2026-11-18T12:00:00.000Z',
  '45.0.0': '2026-10-20T12:00:00.000Z',
  '45.0.9': '2026-10-25T12:00:00.000Z',
  '45.0.10': '2026-11-01T12:00:00.000Z',
  '45.1.0': '2026-11-10T12:00:00.000Z',
  '46.0.0-alpha.1': '2026-11-12T12:00:00.000Z',
};
const at = (day: string): number => Date.parse(`2026-${day}T13:00:00.000Z`);

describe('the shipped Electron (PK-10)', () => {
  it('may be the newest of a supported line', () => {
    expect(findElectronFaults('45.1.0', times, at('11-20'))).toEqual([]);
    expect(findElectronFaults('44.9.0', times, at('11-20'))).toEqual([]);
  });

  it('may not be of an unsupported major: three newer ones exist', () => {
    expect(findElectronFaults('42.0.0', times, at('11-20'))).toEqual([
      'Electron 42.0.0 is no longer supported; the oldest supported major is 43',
    ]);
    // The day before the third one was published.
    expect(findElectronFaults('42.0.0', times, at('10-19'))).toEqual([]);
  });

  it("may lag behind its line's fixes for 14 days from the first one", () => {
    expect(findElectronFaults('45.0.9', times, at('11-14'))).toEqual([]);
    expect(findElectronFaults('45.0.9', times, at('11-16'))).toEqual([
      'Electron 45.0.9 is older than the newest release of its major, 45.1.0; fixes have been out since 2026-11-01',
    ]);
  });

  it('does not count prereleases as a new line', () => {
    expect(findElectronFaults('43.0.0', times, at('11-20'))).toEqual([]);
    expect(findElectronFaults('46.0.0-alpha.1', times, at('11-20'))).not.toEqual([]);
  });

  it.each(['45.9.9', '', '^45.1.0', 'latest'])('must be a published version: %j', (version) => {
    expect(findElectronFaults(version, times, at('11-20'))).toEqual([`Electron ${version} is not a published version`]);
  });

  it.skipIf(process.platform === 'win32')('stops the workflow, based on npm', () => {
    const apps = temporaryFolder();
    const npm = path.join(apps, 'npm');
    const tell = (text: string, exit = 0): void => {
      writeFileSync(npm, `#!/bin/sh\n[ "$*" = 'view electron time --json' ] || exit 9\necho '${text}'\nexit ${exit}\n`);
      chmodSync(npm, 0o755);
    };
    const run = () => runScript('scripts/release/check-electron.ts', { PATH: `${apps}:${process.env['PATH']}` });
    tell(JSON.stringify(times));
    expect(readPublicationTimes([npm])).toEqual(times);
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('is not a published version') as string });
    tell('', 1);
    expect(run().status).not.toBe(0);
  });
});

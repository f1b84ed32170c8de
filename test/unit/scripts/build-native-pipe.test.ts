import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.skipIf(process.platform === 'win32')('continues without the native pipe if cargo has no toolchain', () => {
  const folder = temporaryFolder();
  // Like rustup's cargo, which is in PATH before any toolchain is installed.
  writeFileSync(path.join(folder, 'cargo'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const script = path.join(import.meta.dirname, '../../../scripts/build-native-pipe.ts');
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^No native pipe: .*\n$/u) as string });
});

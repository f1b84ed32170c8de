import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const source = pathToFileURL(
  path.join(import.meta.dirname, '../../../../../main/storage/keychain/keychain-process.ts'),
).href;

it('holds its process until the child is gone, even when an answer comes between the kill and the end', () => {
  const folder = temporaryFolder();
  const child = path.join(folder, 'child.cjs');
  writeFileSync(child, `process.on('message', () => process.send({ ok: true, value: 'v' }));`);
  const parent = path.join(folder, 'parent.mjs');
  // Nothing is read while it waits here, so that the answer lies there when the child is killed.
  writeFileSync(
    parent,
    `import { startKeychainProcess } from ${JSON.stringify(source)};
     const keychain = startKeychainProcess(${JSON.stringify(child)});
     await keychain.request({ operation: 'read', service: 's', account: 'a' }, 5_000);
     void keychain.request({ operation: 'read', service: 's', account: 'a' }, 5_000);
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
     await keychain.kill();
     console.log('gone');`,
  );
  const { status, stdout } = spawnSync(process.execPath, [parent], { encoding: 'utf8' });
  // Node ends with 13 where nothing is left that could settle what is awaited.
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'gone\n' });
});

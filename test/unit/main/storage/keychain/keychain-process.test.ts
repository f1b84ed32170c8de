import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withSessionBus } from '../../../../../main/storage/keychain/keychain-process.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const source = pathToFileURL(
  path.join(import.meta.dirname, '../../../../../main/storage/keychain/keychain-process.ts'),
).href;

it('keeps its process alive until the child is gone, even if a response arrives after the kill', () => {
  const folder = temporaryFolder();
  const child = path.join(folder, 'child.cjs');
  const answered = path.join(folder, 'answered');
  writeFileSync(
    child,
    `let answers = 0;
     const note = () => ++answers === 2 && require('node:fs').writeFileSync(${JSON.stringify(answered)}, '');
     process.on('message', () => process.send({ ok: true, value: 'v' }, note));`,
  );
  const parent = path.join(folder, 'parent.mjs');
  // Nothing is read while this loops, so the response is pending when the child is killed.
  writeFileSync(
    parent,
    `import { existsSync } from 'node:fs';
     import { startKeychainProcess } from ${JSON.stringify(source)};
     const keychain = startKeychainProcess(${JSON.stringify(child)});
     await keychain.request({ operation: 'read', service: 's', account: 'a' }, 5_000);
     void keychain.request({ operation: 'read', service: 's', account: 'a' }, 5_000);
     while (!existsSync(${JSON.stringify(answered)}));
     await keychain.kill();
     console.log('gone');`,
  );
  const { status, stdout } = spawnSync(process.execPath, [parent], { encoding: 'utf8' });
  // Node exits with 13 if nothing is left that could settle the awaited promise.
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'gone\n' });
});

async function startBus(): Promise<string> {
  const folder = temporaryFolder();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path.join(folder, 'bus'), resolve));
  onTestFinished(() => void server.close());
  return folder;
}

describe.runIf(process.platform === 'linux')('withSessionBus', () => {
  it("adds the user's bus to an environment with HOME and PATH only", async () => {
    const folder = await startBus();
    expect(withSessionBus({ HOME: '/home/me' }, folder)).toEqual({
      HOME: '/home/me',
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
    });
  });

  it.each([{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/own' }, { XDG_RUNTIME_DIR: '/own' }])(
    'leaves explicit variables alone: %j',
    async (environment) => {
      expect(withSessionBus(environment, await startBus())).toEqual(environment);
    },
  );

  it('uses no bus in a folder open to others, and no missing bus', async () => {
    const folder = await startBus();
    chmodSync(folder, 0o755);
    expect(withSessionBus({}, folder)).toEqual({});
    expect(withSessionBus({}, temporaryFolder())).toEqual({});
  });
});

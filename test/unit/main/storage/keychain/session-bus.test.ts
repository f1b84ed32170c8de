import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withSessionBus } from '../../../../../main/storage/keychain/session-bus.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function startBus(): Promise<string> {
  const folder = temporaryFolder();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path.join(folder, 'bus'), resolve));
  onTestFinished(() => void server.close());
  return folder;
}

describe.runIf(process.platform === 'linux')('withSessionBus', () => {
  it('names the bus of this person to a command that was started with HOME and PATH alone', async () => {
    const folder = await startBus();
    expect(withSessionBus({ HOME: '/home/me' }, folder)).toEqual({
      HOME: '/home/me',
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
    });
  });

  it.each([{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/own' }, { XDG_RUNTIME_DIR: '/own' }])(
    'leaves alone what was said: %j',
    async (environment) => {
      expect(withSessionBus(environment, await startBus())).toEqual(environment);
    },
  );

  it('takes none that others can put there, nor one that is not there', async () => {
    const folder = await startBus();
    chmodSync(folder, 0o755);
    expect(withSessionBus({}, folder)).toEqual({});
    expect(withSessionBus({}, temporaryFolder())).toEqual({});
  });
});

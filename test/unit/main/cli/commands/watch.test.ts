import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openServiceNotice } from '../../../../../main/cli/commands/watch.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** In the place of systemd-notify: notes what it is told, the first slower than the others. */
function recorder() {
  const folder = temporaryFolder();
  const program = path.join(folder, 'notify');
  const log = path.join(folder, 'log');
  writeFileSync(program, `#!/bin/sh\n[ -e "${log}" ] || sleep 0.2\necho "$@" >> "${log}"\n`);
  chmodSync(program, 0o755);
  return { program, told: () => readFileSync(log, 'utf8').trim().split('\n') };
}

describe('openServiceNotice', () => {
  it('tells in order that the service is up, how it does, and that it ends (sd_notify)', async () => {
    const { program, told } = recorder();
    const notice = openServiceNotice({ NOTIFY_SOCKET: '/run/notify' }, [program]);
    notice.ready('Keeps 2 fresh');
    notice.status('Keeps 1 fresh');
    await notice.stopping();
    const pid = `--pid=${process.pid}`;
    expect(told()).toEqual([
      `${pid} --ready --status=Keeps 2 fresh`,
      `${pid} --status=Keeps 1 fresh`,
      `${pid} STOPPING=1`,
    ]);
  });

  it('says that it lives where the service manager watches this process, and tells nobody without one', async () => {
    const { program, told } = recorder();
    const env = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '20000', WATCHDOG_PID: String(process.pid) };
    const notice = openServiceNotice(env, [program]);
    await expect
      .poll(() => {
        try {
          return told().some((line) => line.includes('WATCHDOG=1'));
        } catch {
          return false;
        }
      })
      .toBe(true);
    await notice.stopping();
    const silent = recorder();
    const alone = openServiceNotice({}, [silent.program]);
    alone.ready('x');
    await alone.stopping();
    expect(silent.told).toThrow();
  });
});

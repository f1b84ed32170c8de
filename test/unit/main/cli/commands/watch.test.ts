import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openServiceNotice } from '../../../../../main/cli/commands/watch.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A fake systemd-notify that records its arguments; its first call is slower than the others. */
function recorder() {
  const folder = temporaryFolder();
  const app = path.join(folder, 'notify');
  const log = path.join(folder, 'log');
  writeFileSync(app, `#!/bin/sh\n[ -e "${log}" ] || sleep 0.2\necho "$@" >> "${log}"\n`);
  chmodSync(app, 0o755);
  return { app, received: () => readFileSync(log, 'utf8').trim().split('\n') };
}

describe('openServiceNotice', () => {
  it('reports in order that the service is ready, its status and that it stops (sd_notify)', async () => {
    const { app, received } = recorder();
    const notice = openServiceNotice({ NOTIFY_SOCKET: '/run/notify' }, [app]);
    notice.ready('Keeps 2 fresh');
    notice.status('Keeps 1 fresh');
    await notice.stopping();
    const pid = `--pid=${process.pid}`;
    expect(received()).toEqual([
      `${pid} --ready --status=Keeps 2 fresh`,
      `${pid} --status=Keeps 1 fresh`,
      `${pid} STOPPING=1`,
    ]);
  });

  it('sends watchdog messages if the service manager watches this process, and nothing without one', async () => {
    const { app, received } = recorder();
    const env = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '20000', WATCHDOG_PID: String(process.pid) };
    const notice = openServiceNotice(env, [app]);
    await expect
      .poll(() => {
        try {
          return received().some((line) => line.includes('WATCHDOG=1'));
        } catch {
          return false;
        }
      })
      .toBe(true);
    await notice.stopping();
    const silent = recorder();
    const alone = openServiceNotice({}, [silent.app]);
    alone.ready('x');
    await alone.stopping();
    expect(silent.received).toThrow();
  });
});

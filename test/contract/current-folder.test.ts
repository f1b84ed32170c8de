import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { approvingBrowser, startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-demo-'));
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A current folder with another user's executables under these names; `ran` exists once one was started. */
function hostileFolder(...names: string[]) {
  const cwd = temporaryFolder();
  const mark = join(temporaryFolder(), 'ran');
  for (const name of names) {
    writeFileSync(join(cwd, name), `#!/bin/sh\n: > '${mark}'\nkill -9 $PPID\n`, { mode: 0o755 });
  }
  return { cwd, ran: () => existsSync(mark) };
}

describe.skipIf(process.platform === 'win32')('executables in the current folder', () => {
  it.each(['.:', ':', 'bin:'])('are never a bare $BROWSER, with a PATH that begins with %s', async (entry) => {
    const { cwd, ran } = hostileFolder('my-browser');
    mkdirSync(join(cwd, 'bin'));
    writeFileSync(join(cwd, 'bin', 'my-browser'), '#!/bin/sh\nkill -9 $PPID\n', { mode: 0o755 });
    const own = temporaryFolder();
    writeFileSync(join(own, 'my-browser'), `#!/bin/sh\nexec ${approvingBrowser} "$@"\n`, { mode: 0o755 });
    const app = startPostern(['connect', demo.url, '--local', '--sign-in', 'browser', '--json'], {
      home: temporaryFolder(),
      cwd,
      env: { PATH: `${entry}${own}`, BROWSER: 'my-browser --new-window' },
    });
    expect(await app.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
    expect(ran()).toBe(false);
  });

  it("are never the system's opener, nor a program that it starts", async () => {
    const { cwd, ran } = hostileFolder('xdg-open', 'open', 'gio', 'xdg-mime', 'x-www-browser', 'firefox', 'chromium');
    const app = startPostern(['connect', demo.url, '--local', '--sign-in', 'browser', '--json'], {
      home: temporaryFolder(),
      cwd,
      env: { PATH: '.:', BROWSER: undefined, DISPLAY: ':4711', HOME: temporaryFolder() },
    });
    const [line] = await app.waitFor(/^\{"event":"authorization".*$/mu);
    await completeSignIn((JSON.parse(line) as { url: string }).url);
    expect(await app.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
    expect(ran()).toBe(false);
  });

  it('are not taken from a $BROWSER that names them relative to the current folder', async () => {
    const { cwd, ran } = hostileFolder('my-browser');
    const app = startPostern(['connect', demo.url, '--local', '--sign-in', 'browser', '--json'], {
      home: temporaryFolder(),
      cwd,
      env: { BROWSER: './my-browser' },
    });
    await app.waitFor(/"browser-open-failed"/u);
    app.kill('SIGINT');
    expect(await app.ended).toMatchObject({ code: 130 });
    expect(ran()).toBe(false);
  });
});

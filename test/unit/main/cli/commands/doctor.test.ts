import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSandbox } from '../../../../../main/cli/commands/doctor.ts';
import type { SandboxPlace } from '../../../../../main/cli/commands/doctor.ts';

/** An installed program that does this where it is started. */
function installed(script: string, more: Partial<SandboxPlace> = {}): SandboxPlace {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'resources'));
  writeFileSync(path.join(folder, 'postern'), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, 'postern'), 0o755);
  const env = { PATH: process.env['PATH'], DISPLAY: ':1' };
  return { resources: path.join(folder, 'resources'), env, isRoot: false, surface: undefined, ...more };
}

/** As Chromium ends itself where it can have no sandbox. */
const aborts = 'kill -TRAP $$';
/** Only with the sandbox, and although the person's own variable takes it away. */
const sandboxed = 'for word; do [ "$word" != --no-sandbox ] || exit 9; done; [ -z "$ELECTRON_DISABLE_SANDBOX" ]';

describe.skipIf(process.platform === 'win32')('checkSandbox', () => {
  it('finds it where the program starts with it', async () => {
    const at = installed(sandboxed);
    const env = { ...at.env, ELECTRON_DISABLE_SANDBOX: '1' };
    expect(await checkSandbox({ ...at, env }, 'linux')).toMatchObject([{ name: 'sandbox', ok: true }]);
  });

  it('tells how an archive gets one, since its window does not start without', async () => {
    const at = installed(aborts);
    const helper = path.join(path.dirname(at.resources ?? ''), 'chrome-sandbox');
    const [found] = await checkSandbox(at, 'linux');
    expect(found).toMatchObject({ ok: false });
    expect(found?.nextStep).toContain(`chmod 4755 "${helper}"`);
  });

  it('tells of an AppImage, which starts without, until sign-in pages open elsewhere', async () => {
    const at = installed(aborts);
    const env = { ...at.env, APPIMAGE: '/opt/Postern.AppImage' };
    const [found] = await checkSandbox({ ...at, env }, 'linux');
    expect(found).toMatchObject({ ok: false, nextStep: 'postern settings signInSurface browser' });
    expect(await checkSandbox({ ...at, env, surface: 'browser' }, 'linux')).toMatchObject([{ ok: true }]);
  });

  it('starts nothing as root, who has none', async () => {
    const [found] = await checkSandbox(installed(aborts, { isRoot: true }), 'linux');
    expect(found).toMatchObject({ ok: true });
  });

  it.each<[string, Partial<SandboxPlace>, NodeJS.Platform]>([
    ['without a display', { env: {} }, 'linux'],
    ['where nothing is installed', { resources: undefined }, 'linux'],
    ['on another system', {}, 'darwin'],
  ])('says nothing %s', async (_where, more, platform) => {
    expect(await checkSandbox(installed(aborts, more), platform)).toEqual([]);
  });

  it.each([
    ['fails otherwise', 'exit 1'],
    ['cannot be started', 'exit 126'],
    ['somebody ends', 'kill -TERM $$'],
    ['crashes', 'kill -SEGV $$'],
    ['ends with its terminal', 'kill -HUP $$'],
  ])('claims nothing of a program that %s', async (_how, script) => {
    expect(await checkSandbox(installed(script), 'linux')).toEqual([]);
  });
});

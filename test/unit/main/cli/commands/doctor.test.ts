import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSandbox } from '../../../../../main/cli/commands/doctor.ts';
import type { SandboxEnvironment } from '../../../../../main/cli/commands/doctor.ts';

/** An installed executable that runs this script. */
function installed(script: string, more: Partial<SandboxEnvironment> = {}): SandboxEnvironment {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'resources'));
  writeFileSync(path.join(folder, 'postern'), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, 'postern'), 0o755);
  const env = { PATH: process.env['PATH'], DISPLAY: ':1' };
  return { resources: path.join(folder, 'resources'), env, isRoot: false, surface: undefined, ...more };
}

/** How Chromium aborts without a usable sandbox. */
const aborts = 'kill -TRAP $$';
/** Succeeds only with the sandbox on, even if the user's environment disables it. */
const sandboxed = 'for word; do [ "$word" != --no-sandbox ] || exit 9; done; [ -z "$ELECTRON_DISABLE_SANDBOX" ]';

describe.skipIf(process.platform === 'win32')('checkSandbox', () => {
  it('reports the sandbox as working if the executable starts with it', async () => {
    const at = installed(sandboxed);
    const env = { ...at.env, ELECTRON_DISABLE_SANDBOX: '1' };
    expect(await checkSandbox({ ...at, env }, 'linux')).toMatchObject([{ name: 'sandbox', ok: true }]);
  });

  it('explains how to enable the sandbox for an archive, whose window does not start without it', async () => {
    const at = installed(aborts);
    const helper = path.join(path.dirname(at.resources ?? ''), 'chrome-sandbox');
    const [found] = await checkSandbox(at, 'linux');
    expect(found).toMatchObject({ ok: false });
    expect(found?.nextStep).toContain(`chmod 4755 "${helper}"`);
  });

  it('warns about an AppImage, which starts without a sandbox, until sign-in pages open in the browser', async () => {
    const at = installed(aborts);
    const env = { ...at.env, APPIMAGE: '/opt/Postern.AppImage' };
    const [found] = await checkSandbox({ ...at, env }, 'linux');
    expect(found).toMatchObject({ ok: false, nextStep: 'postern settings signInSurface browser' });
    expect(await checkSandbox({ ...at, env, surface: 'browser' }, 'linux')).toMatchObject([{ ok: true }]);
  });

  it('starts nothing as root, which has no sandbox', async () => {
    const [found] = await checkSandbox(installed(aborts, { isRoot: true }), 'linux');
    expect(found).toMatchObject({ ok: true });
  });

  it.each<[string, Partial<SandboxEnvironment>, NodeJS.Platform]>([
    ['without a display', { env: {} }, 'linux'],
    ['if nothing is installed', { resources: undefined }, 'linux'],
    ['on another platform', {}, 'darwin'],
  ])('reports nothing %s', async (_where, more, platform) => {
    expect(await checkSandbox(installed(aborts, more), platform)).toEqual([]);
  });

  it.each([
    ['fails for another reason', 'exit 1'],
    ['cannot be started', 'exit 126'],
    ['is terminated', 'kill -TERM $$'],
    ['crashes', 'kill -SEGV $$'],
    ['ends with its terminal', 'kill -HUP $$'],
  ])('reports nothing if the executable %s', async (_how, script) => {
    expect(await checkSandbox(installed(script), 'linux')).toEqual([]);
  });
});

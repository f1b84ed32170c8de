import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appUserModelId } from '../../shared/product.ts';
import { launchWindow } from '../support/launch-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testElectron, windowRuntime } from '../support/window-runtime.ts';

/** The built app on Electron: as the command of a package, and its start as a window. */
const root = path.join(import.meta.dirname, '../..');
const appPath = process.env['POSTERN_TEST_PROGRAM'] ?? root;

/** The files of a Linux package around this Electron, which detects packaging by its name; returns its command. */
function layOutPackage(electron: string): string {
  const folder = path.join(temporaryFolder(), 'Postern');
  const resources = path.join(folder, 'resources');
  mkdirSync(path.join(resources, 'bin'), { recursive: true });
  const source = path.dirname(electron);
  for (const name of readdirSync(source))
    if (!['electron', 'resources'].includes(name)) symlinkSync(path.join(source, name), path.join(folder, name));
  copyFileSync(electron, path.join(folder, 'postern'));
  symlinkSync(appPath, path.join(resources, 'app'));
  const command = path.join(resources, 'bin/postern');
  copyFileSync(path.join(root, 'packaging/linux/postern'), command);
  chmodSync(command, 0o755);
  return command;
}

const isLinuxElectron = process.platform === 'linux' && windowRuntime === 'electron';

describe.runIf(isLinuxElectron)('the command of a package, on Electron', () => {
  /** Without a display; with folders of its own for its files, and for what Chromium stores for a command. */
  function prepare() {
    const command = layOutPackage(testElectron ?? '');
    const home = temporaryFolder();
    const scratch = temporaryFolder();
    const env: NodeJS.ProcessEnv = { ...process.env, POSTERN_HOME: path.join(home, 'profile'), TMPDIR: scratch };
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete env[name];
    return { scratch, postern: (...words: string[]) => spawnSync(command, words, { env, encoding: 'utf8' }) };
  }

  const lastOf = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;

  it('runs if Chromium has neither a sandbox nor a display, and Chromium prints nothing', () => {
    const { postern } = prepare();
    const { status, stdout, stderr } = postern('list', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lastOf(stdout)).toMatchObject({ result: 'ok' });
  });

  it('leaves no folder behind that a later command would not remove', () => {
    const { postern, scratch } = prepare();
    const leftover = path.join(scratch, 'postern-command-left');
    mkdirSync(leftover);
    const before = new Date(Date.now() - 3_600_000);
    utimesSync(leftover, before, before);
    for (let time = 0; time < 4; time += 1) expect(postern('--version').status).toBe(0);
    const folders = readdirSync(scratch).filter((name) => name.startsWith('postern-command-'));
    expect(folders).not.toContain('postern-command-left');
    // Chromium may create one again as it exits; a later command removes an empty one.
    expect(folders.flatMap((name) => readdirSync(path.join(scratch, name)))).toEqual([]);
  });

  it('reaches the keychain through the packaged library, whose Node-API every Electron supports', () => {
    const { postern } = prepare();
    const { checks } = lastOf(postern('doctor', '--json').stdout) as { checks: readonly Record<string, unknown>[] };
    expect(checks).toContainEqual(expect.objectContaining({ name: 'keychain', ok: true }));
  });
});

it('the window sets the app user model ID of its Windows shortcut before anything else', async () => {
  const folder = temporaryFolder();
  const calls = path.join(folder, 'calls');
  const watched = path.join(folder, 'watched');
  mkdirSync(watched);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const packageJson = { name: 'postern', productName: 'Postern', version, type: 'module', main: 'main.js' };
  writeFileSync(path.join(watched, 'package.json'), JSON.stringify(packageJson));
  writeFileSync(
    path.join(watched, 'main.js'),
    `import { appendFileSync } from 'node:fs';
    import { pathToFileURL } from 'node:url';
    import { app } from 'electron';
    for (const name of ['setAppUserModelId', 'setPath', 'requestSingleInstanceLock', 'whenReady']) {
      const own = app[name].bind(app);
      app[name] = (...values) => {
        appendFileSync(${JSON.stringify(calls)}, JSON.stringify([name, ...values]) + '\\n');
        return own(...values);
      };
    }
    await import(pathToFileURL(${JSON.stringify(path.join(appPath, 'dist/main/index.js'))}).href);`,
  );
  await using window = await launchWindow({ app: watched, profile: path.join(folder, 'profile') });
  await window.page('app://postern/index.html');
  const [first = ''] = readFileSync(calls, 'utf8').split('\n');
  expect(JSON.parse(first)).toEqual(['setAppUserModelId', appUserModelId]);
});

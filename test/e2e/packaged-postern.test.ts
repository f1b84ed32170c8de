import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { smoke as smokeTest } from '../../scripts/package/smoke.ts';
import { startPair } from '../support/demo-pair.ts';
import { launchStandIn } from '../support/launch-stand-in.ts';
import { approvingBrowser, runPostern, startCommand } from '../support/postern-process.ts';
import type { PosternOptions } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitForPage } from '../support/wait-for-page.ts';
import { standInLauncher } from '../support/window-runtime.ts';
import { choose, runTool } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

/** The electron-builder package run by the stand-in, because its Electron is a placeholder. */
let folder: string;
const isRoot = process.getuid?.() === 0;
const authority = path.join(import.meta.dirname, '../support/certificates/authority.pem');
/** An unprivileged account. */
const otherUser = 65_534;

// Elsewhere the keytar built here is for another system than the package.
test.skip(process.platform !== 'linux', 'packages Linux, on Linux');
test.beforeAll(({ standInPackage }) => {
  folder = standInPackage;
});

/** Runs the launcher of the package; the stand-in then starts no Chromium. */
const command = (...words: string[]): string[] => [path.join(folder, 'resources/bin/postern'), ...words];
const run = (words: readonly string[], options: PosternOptions) =>
  startCommand(command(...words), { stdin: '', ...options }).ended;
/** Opens the window and quits once it is usable. */
const smoke = (options: PosternOptions, before: readonly string[] = []) =>
  startCommand([...before, process.execPath, standInLauncher, folder, '--smoke'], { stdin: '', ...options }).ended;

/** The window with its data in `profile`. */
async function openWindow(profile: string, env: PosternOptions['env'] = {}) {
  const args = [`--user-data-dir=${profile}`];
  const launched = await launchStandIn({
    app: folder,
    args,
    env: { ...process.env, POSTERN_HOME: profile, ...env },
  });
  return {
    ...launched,
    page: (urlPart: string) => waitForPage(launched, urlPart),
    evaluate: launched.evaluate,
    async [Symbol.asyncDispose]() {
      await launched.close();
    },
  };
}

test.describe('packaged Postern', () => {
  test('connects, lists tools and calls one on the command line; the window has the same (one profile, one keychain)', async () => {
    const { mcp } = await startPair();
    const home = path.join(temporaryFolder(), 'profile');
    const connected = await run(['connect', mcp.url, '--local', '--name', 'Demo', '--json'], { home });
    expect(connected.last).toMatchObject({ result: 'ok', integration: { name: 'Demo', state: 'integrated' } });
    expect((await run(['tools', 'Demo', '--json'], { home })).last).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'whoami' })]),
    });
    // A command puts no Chromium files into the profile.
    const ours = ['config.json', 'config.last-good.json', 'history', 'locks', 'logs', 'pins', 'vault'];
    expect(readdirSync(home).filter((name) => !ours.includes(name))).toEqual([]);

    await using window = await openWindow(home);
    expect(await window.evaluate(({ app }) => app.isPackaged)).toBe(true);
    const page = await window.page('app://postern/index.html');
    await choose(page, 'Demo');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
    // The command line keeps working beside the open window.
    expect((await run(['list', '--json'], { home })).last).toMatchObject({ integrations: [{ name: 'Demo' }] });
  });

  test('has a keychain, a callback port and certificates (`doctor`)', async () => {
    const found = await run(['doctor', '--json'], { home: temporaryFolder() });
    expect(found.last).toMatchObject({ result: 'ok', healthy: true });
  });

  test('reads no certificates from its environment (NW-17)', async () => {
    const keys = path.join(temporaryFolder(), 'keys');
    const env = { NODE_EXTRA_CA_CERTS: authority, SSLKEYLOGFILE: keys };
    const options = { home: temporaryFolder(), env };
    const [packaged, source] = [
      await run(['doctor', '--json'], options),
      await runPostern(['doctor', '--json'], options),
    ];
    // Run from source it does, so the certificate is valid.
    expect(JSON.stringify(source.last['checks'])).toContain('1 from NODE_EXTRA_CA_CERTS');
    expect(JSON.stringify(packaged.last['checks'])).not.toContain('NODE_EXTRA_CA_CERTS');
    expect(JSON.stringify(packaged.last['checks'])).toContain('Postern ignores SSLKEYLOGFILE');
  });

  test('prints its version, and explains unknown arguments', async () => {
    const home = temporaryFolder();
    expect((await run(['--version'], { home })).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    const wrong = await run(['tols'], { home });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('Did you mean “tools”?');
  });
});

test.describe('the smoke test of a package', () => {
  test('passes on this one, with the stand-in in Electron’s place', async () => {
    await smokeTest(folder, 'linux');
  });

  test('fails if a fuse is wrong', async () => {
    const other = path.join(temporaryFolder(), 'Postern');
    cpSync(folder, other, { recursive: true });
    const executable = path.join(other, 'postern');
    await flipFuses(executable, { version: FuseVersion.V1, [FuseV1Options.RunAsNode]: true });
    await expect(smokeTest(other, 'linux')).rejects.toThrow('fuses are as configured');
  });
});

test.describe('a start of packaged Postern', () => {
  test('happens at login, in the background, if the user chose it, and ends when all data is deleted', async () => {
    const profile = path.join(temporaryFolder(), 'profile');
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const entry = path.join(env.XDG_CONFIG_HOME, 'autostart', 'postern.desktop');
    await using window = await openWindow(profile, env);
    const page = await window.page('app://postern/index.html');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const atLogin = page.getByRole('checkbox', { name: 'Start Postern when I log in' });
    await expect(atLogin).not.toBeChecked();
    await atLogin.click();
    await expect(atLogin).toBeChecked();
    expect(readFileSync(entry, 'utf8')).toContain(`"${process.execPath}" "--background"\n`);
    await atLogin.click();
    await expect(atLogin).not.toBeChecked();
    expect(existsSync(entry)).toBe(false);
    await atLogin.click();
    await expect(atLogin).toBeChecked();
    // Everything is deleted except the folder through which this window serves apps.
    const deleted = await run(['remove', '--all', '--yes', '--json'], { home: profile, env });
    expect(deleted).toMatchObject({ code: 1, last: { error: { code: 'GATEWAY_HELD' } } });
    expect(existsSync(entry)).toBe(false);
  });

  test('brings an open window to the front and exits, whatever its arguments (IP-13)', async () => {
    const profile = path.join(temporaryFolder(), 'profile');
    await using window = await openWindow(profile);
    await expect((await window.page('app://postern/index.html')).locator('.frame')).toBeVisible();
    await window.evaluate(({ app }) => {
      app.on('second-instance', () => console.error('a second one came'));
    });
    const starts = [
      [],
      ['app://add?url=https://evil.example/mcp&auto=1'],
      ['postern://connect/https://evil.example/mcp', '--load-extension=/tmp/evil'],
      ['https://evil.example/'.padEnd(100_000, 'x')],
    ];
    for (const words of starts) {
      const second = startCommand([process.execPath, standInLauncher, folder, ...words], { home: profile, stdin: '' });
      expect((await second.ended).code).toBe(0);
    }
    await expect.poll(() => window.output().match(/a second one came/g)?.length).toBe(starts.length);
    // It comes to the front and ignores the other’s arguments.
    await expect((await window.page('app://postern/index.html')).getByLabel('Server address')).toHaveValue('');
    expect((await run(['list', '--json'], { home: profile })).last).toMatchObject({ integrations: [] });
    expect(await window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('needs no network (PK-14)', async () => {
    const alone = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
    const home = temporaryFolder();
    test.skip((await startCommand([...alone, 'true'], { home }).ended).code !== 0, 'no namespaces here');
    const { code, stdout } = await smoke({ home }, alone);
    expect([code, stdout]).toEqual([0, expect.stringContaining('interactive')]);
  });

  test('works with a clock set to 1970 (PK-14)', async () => {
    const patch = `const real = Date; const by = -real.now(); globalThis.Date = class extends real {
      constructor(...values) { if (values.length === 0) super(real.now() + by); else super(...values); }
      static now() { return real.now() + by; } };`;
    const env = {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(patch)}`,
      BROWSER: `env -u NODE_OPTIONS ${approvingBrowser}`,
    };
    const { mcp } = await startPair();
    // Not through the launcher, which blocks this.
    const words = [process.execPath, standInLauncher, folder, '--ozone-platform=headless', '--cli', '--'];
    const here = async (...more: string[]) =>
      await startCommand([...words, ...more, '--json'], { home, env, stdin: '' }).ended;
    const home = path.join(temporaryFolder(), 'profile');
    const opened = await smoke({ home, env });
    expect([opened.code, opened.stdout]).toEqual([0, expect.stringContaining('interactive')]);
    const connected = await here('connect', mcp.url, '--local', '--name', 'Demo');
    expect(connected.last).toMatchObject({ result: 'ok' });
    expect((await here('tools', 'Demo')).last).toMatchObject({ result: 'ok' });
  });

  test('works from a read-only folder (PK-14)', async () => {
    const readOnly = path.join(temporaryFolder(), 'Postern');
    cpSync(folder, readOnly, { recursive: true });
    setModes(readOnly, 0o555);
    try {
      // Root may write anywhere, so another user starts it.
      const base = temporaryFolder();
      const home = path.join(base, 'profile');
      // Like /tmp: others may write but not rename my files.
      chmodSync(base, 0o1777);
      chmodSync(path.dirname(readOnly), 0o755);
      const words = [process.execPath, standInLauncher, readOnly, '--smoke'];
      const env = { HOME: base, TMPDIR: base, XDG_CONFIG_HOME: undefined, XDG_RUNTIME_DIR: undefined };
      const opened = await startCommand(isRoot ? [...asOther, ...words] : words, { home, env, stdin: '' }).ended;
      expect([opened.code, opened.stdout]).toEqual([0, expect.stringContaining('interactive')]);
      expect(existsSync(path.join(home, 'window.json'))).toBe(true);
    } finally {
      setModes(readOnly, 0o755);
    }
  });

  test('opens its window with a read-only profile, and says so (PK-14)', async () => {
    const file = path.join(temporaryFolder(), 'not-a-folder');
    writeFileSync(file, '');
    await using window = await openWindow(temporaryFolder(), { POSTERN_HOME: path.join(file, 'profile') });
    const page = await window.page('app://postern/index.html');
    await page
      .getByText(/write to/)
      .first()
      .waitFor();
  });

  test('keeps two users of one computer separate', async () => {
    test.skip(!isRoot, 'only root may start a program as another user');
    const { mcp } = await startPair();
    const home = path.join(temporaryFolder(), 'profile');
    expect((await run(['connect', mcp.url, '--local', '--name', 'Mine', '--json'], { home })).code).toBe(0);
    chmodSync(path.dirname(home), 0o755);
    const base = temporaryFolder();
    chmodSync(base, 0o1777);
    const env = { HOME: base, TMPDIR: base, XDG_CONFIG_HOME: undefined, XDG_RUNTIME_DIR: undefined };
    const asOtherUser = (theirs: string) =>
      startCommand([...asOther, ...command('list', '--json')], { home: theirs, env, stdin: '' }).ended;
    // Their own profile is empty, and they cannot read the first one's.
    expect((await asOtherUser(path.join(base, 'profile'))).last).toMatchObject({ result: 'ok', integrations: [] });
    const refused = await asOtherUser(home);
    expect(refused.last).toMatchObject({ result: 'error' });
    expect(refused.stdout).not.toContain('Mine');
    // A window of each can be open at the same time.
    await using window = await openWindow(home);
    await expect((await window.page('app://postern/index.html')).locator('.frame')).toBeVisible();
    const words = [process.execPath, standInLauncher, folder, '--smoke'];
    const theirs = await startCommand([...asOther, ...words], { home: path.join(base, 'profile'), env, stdin: '' })
      .ended;
    expect([theirs.code, theirs.stdout]).toEqual([0, expect.stringContaining('interactive')]);
  });
});

/** Runs the remaining arguments as another user. */
const asOther = ['setpriv', `--reuid=${otherUser}`, `--regid=${otherUser}`, '--clear-groups'];

function setModes(target: string, mode: number): void {
  chmodSync(target, mode);
  for (const entry of readdirSync(target, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) chmodSync(path.join(entry.parentPath, entry.name), mode);
}

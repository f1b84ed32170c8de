import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Demo } from '../demo/start-demo.ts';
import { startCapabilitiesServer } from '../support/capabilities-server.ts';
import { approvingBrowser, posternCommand, runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Sign-ins on a computer without a keychain: what seals them, where its secret may come from, and what is refused. */

let demo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-vault-'));

beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true });
});

/** No keychain responds there. */
const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
const passphrase = 'correct horse battery staple';

function openMachine() {
  const home = temporaryFolder();
  const elsewhere = temporaryFolder();
  const secret = path.join(elsewhere, 'passphrase');
  writeFileSync(secret, `${passphrase}\n`, { mode: 0o600 });
  const key = path.join(elsewhere, 'key');
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home, env });
  const connect = (...args: string[]) => run('connect', demo.url, '--local', '--name', 'Demo', ...args);
  return { home, elsewhere, secret, key, run, connect };
}

const codeOf = ({ last }: { last: Record<string, unknown> }) => (last['error'] as { code?: string } | undefined)?.code;

function everythingIn(place: string): string {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('a vault with a passphrase', () => {
  it('stores a sign-in, says so, holds nothing in the clear, and is deleted with everything else', async () => {
    const { home, secret, run, connect } = openMachine();
    const passphraseOptions = ['--passphrase-file', secret];
    expect((await connect('--vault', 'passphrase', ...passphraseOptions)).code).toBe(0);
    const token = (await run('token', 'Demo', ...passphraseOptions)).last['accessToken'] as string;
    expect(token.length).toBeGreaterThan(10);
    const stored = everythingIn(home);
    for (const clear of [token, passphrase]) expect(stored).not.toContain(clear);
    expect(statSync(path.join(home, 'keyring')).mode & 0o077).toBe(0);
    expect((await run('list')).last).toMatchObject({ vault: 'passphrase' });
    const checked = await run('doctor', ...passphraseOptions);
    expect(checked.last).toMatchObject({ vault: 'passphrase' });
    const found = checked.last['checks'] as { name: string; ok: boolean; message: string }[];
    expect(found.find(({ name }) => name === 'keychain')).toMatchObject({
      ok: true,
      message: expect.stringContaining('passphrase'),
    });
    expect((await run('remove', '--all', '--yes', ...passphraseOptions)).code).toBe(0);
    expect(existsSync(path.join(home, 'keyring'))).toBe(false);
  });

  it('is opened with a descriptor, a variable that names a file, and a systemd credential', async () => {
    const { home, elsewhere, secret, run, connect } = openMachine();
    expect((await connect('--vault', 'passphrase', '--passphrase-file', secret)).code).toBe(0);
    const [node = '', ...words] = posternCommand('token', 'Demo', '--json', '--passphrase-fd', '3');
    const byDescriptor = spawnSync('bash', ['-c', 'exec "$@" 3< "$SECRET"', 'bash', node, ...words], {
      env: { ...process.env, ...env, POSTERN_HOME: home, SECRET: secret, BROWSER: approvingBrowser },
      encoding: 'utf8',
    });
    expect(byDescriptor.status).toBe(0);
    const run2 = (more: Record<string, string>) =>
      runInProcess(['token', 'Demo', '--json'], { home, env: { ...env, ...more } });
    expect((await run2({ POSTERN_PASSPHRASE_FILE: secret })).code).toBe(0);
    const credentials = path.join(elsewhere, 'credentials');
    mkdirSync(credentials);
    // As the service manager creates it for a user that an access list allows.
    writeFileSync(path.join(credentials, 'postern-passphrase'), passphrase, { mode: 0o440 });
    chmodSync(path.join(credentials, 'postern-passphrase'), 0o440);
    expect((await run2({ CREDENTIALS_DIRECTORY: credentials })).code).toBe(0);
    expect((await run('token', 'Demo')).code).toBe(2);
  });

  it('is not opened with another passphrase, and does not change', async () => {
    const { home, elsewhere, secret, run, connect } = openMachine();
    expect((await connect('--vault', 'passphrase', '--passphrase-file', secret)).code).toBe(0);
    const before = readFileSync(path.join(home, 'keyring'), 'utf8');
    const wrong = path.join(elsewhere, 'wrong');
    writeFileSync(wrong, 'wrong horse battery staple', { mode: 0o600 });
    const refused = await run('token', 'Demo', '--passphrase-file', wrong);
    expect([refused.code, codeOf(refused)]).toEqual([1, 'KEYRING_WRONG_KEY']);
    expect(codeOf(await run('refresh', 'Demo', '--passphrase-file', wrong))).toBe('KEYRING_WRONG_KEY');
    expect(readFileSync(path.join(home, 'keyring'), 'utf8')).toBe(before);
    // A cheaper derivation in the file is not accepted.
    writeFileSync(path.join(home, 'keyring'), before.replace('131072', '1024'));
    expect(codeOf(await run('token', 'Demo', '--passphrase-file', secret))).toBe('KEYRING_UNREADABLE');
  });
});

describe('a vault with a key file', () => {
  it('creates the file for its user only, elsewhere, and rejects one that others may read', async () => {
    const { home, key, run, connect } = openMachine();
    const inside = await connect('--vault', 'file', '--key-file', path.join(home, 'key'));
    expect(inside.code).toBe(2);
    expect((await connect('--vault', 'file', '--key-file', key)).code).toBe(0);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect((await run('token', 'Demo', '--key-file', key)).code).toBe(0);
    expect((await run('list')).last).toMatchObject({ vault: 'file' });
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(key, mode);
      expect(codeOf(await run('token', 'Demo', '--key-file', key))).toBe('KEY_FILE_UNSAFE');
    }
    chmodSync(key, 0o600);
    expect((await run('token', 'Demo', '--key-file', key)).code).toBe(0);
    expect(codeOf(await run('token', 'Demo', '--key-file', `${key}-gone`))).toBe('KEY_FILE_MISSING');
    expect(existsSync(`${key}-gone`)).toBe(false);
  });

  it('hides what opens it from the commands that exec runs', async () => {
    const { home, key, connect } = openMachine();
    expect((await connect('--vault', 'file', '--key-file', key)).code).toBe(0);
    const script = 'process.stdout.write(`${process.env.POSTERN_KEY_FILE} ${process.env.POSTERN_TOKEN.length > 10}`)';
    const ran = await runPostern(['exec', 'Demo', '--', process.execPath, '-e', script], {
      home,
      env: { ...env, POSTERN_KEY_FILE: key },
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'undefined true' });
  });
});

describe('such a vault', () => {
  it.each([
    ['a server without a sign-in', (url: string) => ['connect', url, '--local', '--name', 'Open']],
    ['a command of this computer', () => ['local', 'add', 'Echo', '--yes', '--', process.execPath, '-e', '0']],
    ['a check', () => ['doctor']],
  ])('is created by the first command that names it, which is for %s', async (_what, words) => {
    const { home, secret, key, run } = openMachine();
    const server = await startCapabilitiesServer();
    const [command = '', ...rest] = words(server.url);
    await runInProcess([command, '--vault', 'file', '--key-file', key, ...rest], { home, env });
    expect(existsSync(path.join(home, 'keyring'))).toBe(true);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect((await run('list')).last).toMatchObject({ vault: 'file' });
    expect((await run('connect', demo.url, '--local', '--name', 'Demo', '--key-file', key)).code).toBe(0);
    expect((await run('token', 'Demo', '--key-file', key)).code).toBe(0);
    const other = openMachine();
    const sealed = [command, '--vault', 'passphrase', '--passphrase-file', secret, ...rest];
    await runInProcess(sealed, { home: other.home, env });
    expect((await other.run('list')).last).toMatchObject({ vault: 'passphrase' });
  });

  it('is not created by a command that stores nothing', async () => {
    const { home, key, run, connect } = openMachine();
    expect((await connect('--memory', '--vault', 'file', '--key-file', key)).code).toBe(0);
    expect([existsSync(key), existsSync(path.join(home, 'keyring'))]).toEqual([false, false]);
    expect((await run('list')).last).toMatchObject({ vault: 'keychain' });
  });

  it('lets use print what has to run, since an app cannot open it', async () => {
    const { home, elsewhere, secret, key, connect } = openMachine();
    expect((await connect('--vault', 'file', '--key-file', key)).code).toBe(0);
    mkdirSync(path.join(elsewhere, '.cursor'));
    const use = (...more: string[]) =>
      runInProcess(['use', 'Demo', 'cursor', '--yes', ...more], { home, env: { ...env, HOME: elsewhere } });
    expect((await use('--key-file', key)).stdout).toMatch(/`postern serve --key-file "?\/.*key"?`/u);
    expect((await use('--as', 'again')).stdout).toContain('`postern serve --key-file FILE`');
    const other = openMachine();
    expect((await other.connect('--vault', 'passphrase', '--passphrase-file', secret)).code).toBe(0);
    mkdirSync(path.join(other.elsewhere, '.cursor'));
    const used = await runInProcess(['use', 'Demo', 'cursor', '--yes'], {
      home: other.home,
      env: { ...env, HOME: other.elsewhere, POSTERN_PASSPHRASE_FILE: secret },
    });
    expect(used.stdout).toMatch(/`postern serve --passphrase-file "?\/.*passphrase"?`/u);
  });

  it('is never created implicitly: without a keychain nothing is stored, whatever secret is given', async () => {
    const { home, secret, key, run, connect } = openMachine();
    const refused = await connect();
    expect(codeOf(refused)).toBe('KC_UNAVAILABLE');
    for (const way of ['--vault passphrase', '--vault file --key-file'])
      expect(refused.last['error']).toHaveProperty('nextStep', expect.stringContaining(way));
    expect((await connect('--passphrase-file', secret)).code).toBe(2);
    expect((await connect('--key-file', key)).code).toBe(2);
    expect(existsSync(path.join(home, 'keyring'))).toBe(false);
    expect((await run('list')).last).toMatchObject({ vault: 'keychain', integrations: [] });
  });

  it('rejects a short passphrase, one on the command line, and a kind other than its own', async () => {
    const { elsewhere, secret, key, run, connect } = openMachine();
    const short = path.join(elsewhere, 'short');
    writeFileSync(short, 'hunter2\n', { mode: 0o600 });
    expect((await connect('--vault', 'passphrase', '--passphrase-file', short)).code).toBe(2);
    const typed = await run('token', 'Demo', '--passphrase', passphrase);
    expect(typed.code).toBe(2);
    expect(typed.stdout).not.toContain(passphrase);
    expect((await connect('--vault', 'passphrase', '--passphrase-file', secret)).code).toBe(0);
    expect((await run('token', 'Demo', '--vault', 'file', '--key-file', key)).code).toBe(2);
    expect(existsSync(key)).toBe(false);
  });
});

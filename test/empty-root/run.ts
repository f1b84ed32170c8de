import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generateAppRunScript } from 'app-builder-lib/out/targets/appimage/appImageUtil.js';
import { startVirtualDisplay } from '../../scripts/virtual-display.ts';
import { startDemo } from '../demo/start-demo.ts';
import { obtainElectron } from '../real-electron/obtain-electron.ts';
import { inDebian, NoDebian, obtainDebian, requireDebianTools } from '../support/debian-root.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { NoPackage } from '../support/fetch-package.ts';
import { makeDeb } from './make-deb.ts';

/**
 * run.ts [--deb FILE] [--suite NAME]: installs the deb on a Debian that contains only the deb's dependencies, and
 * tries the window and commands there, as root and as another user. Without FILE, builds the deb around the Electron of
 * the lane `real-electron`. Needs root, debootstrap and Xvfb on Linux; if it cannot run, it prints why and exits with
 * 0, or with 1 if FILE was given.
 */
const { values } = parseArgs({ options: { deb: { type: 'string' }, suite: { type: 'string', default: 'bookworm' } } });

/** Milliseconds. */
const commandTimeout = 90_000;

/** The AppRun script that electron-builder puts into an AppImage. */
const appRun = generateAppRunScript({
  DesktopFileName: 'postern.desktop',
  ExecutableName: 'postern',
  ProductName: 'Postern',
  ProductFilename: 'Postern',
  ResourceName: 'appimagekit-postern',
});

interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  readonly user: 'root' | 'someone';
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly kind?: 'root' | 'chroot';
  /** Called for each line of standard output. */
  readonly onLine?: (line: string) => void;
}

async function main(): Promise<void> {
  requireDebianTools();
  const work = mkdtempSync(path.join(tmpdir(), 'postern-empty-root-'));
  const display = await startVirtualDisplay();
  try {
    if (!display) throw new NoDebian('Xvfb is not installed');
    const electron = process.env['POSTERN_ELECTRON'];
    const deb = values.deb ?? (await makeDeb(electron ?? (await obtainElectron()), path.join(work, 'package')));
    const lower = obtainRoot(deb);
    const layer = path.join(work, 'layer');
    mkdirSync(path.join(layer, 'mnt'), { recursive: true });
    copyFileSync(deb, path.join(layer, 'mnt/postern.deb'));
    writeFileSync(path.join(layer, 'mnt/AppRun'), appRun, { mode: 0o755 });
    // Lets both users open windows.
    copyFileSync(display.env.XAUTHORITY, path.join(layer, 'mnt/authority'));
    await tryAll((call) => runInside(lower, layer, call), display.env.DISPLAY);
  } finally {
    display?.end();
    rmSync(work, { recursive: true, force: true });
  }
}

/** With the deb's dependencies, without recommended packages and without the deb itself. Errors: NoDebian. */
function obtainRoot(deb: string): string {
  return obtainDebian({
    suite: values.suite,
    purpose: "with the deb's dependencies",
    key: execFileSync('dpkg-deb', ['--field', deb, 'Depends', 'Architecture'], { encoding: 'utf8' }),
    files: { 'postern.deb': deb },
    install: [
      'apt-get update -q',
      'apt-get install -y -q --no-install-recommends /postern.deb',
      'dpkg --purge postern',
      'apt-get clean',
      'rm /postern.deb',
    ],
  });
}

async function tryAll(run: (call: Call) => Promise<CommandResult>, display: string): Promise<void> {
  const window = { DISPLAY: display, XAUTHORITY: '/mnt/authority' };
  const asRoot = (...words: string[]): Promise<CommandResult> => run({ user: 'root', words });
  await asRoot('chmod', '644', '/mnt/authority');
  await asRoot('useradd', '--create-home', '--shell', '/bin/sh', 'someone');

  const installed = await asRoot('dpkg', '--install', '/mnt/postern.deb');
  check('dpkg installs it: no dependency is missing', installed.code === 0, installed);
  const libraries = await asRoot(
    'sh',
    '-c',
    'ldd /opt/Postern/postern /opt/Postern/resources/bin/postern-pipe || true',
  );
  check('every shared library is found', !libraries.stdout.includes('not found'), libraries);

  // AI apps start it directly. Without arguments it prints its usage.
  const pipe = await run({ user: 'someone', words: ['/opt/Postern/resources/bin/postern-pipe'] });
  check(
    'the pipe runs as any user with the libc of this Debian',
    pipe.code === 2 && pipe.stderr.startsWith('Usage:'),
    pipe,
  );

  const share = [
    ...['bash-completion/completions/postern', 'zsh/vendor-completions/_postern'],
    ...['fish/vendor_completions.d/postern.fish', 'man/man1/postern.1'],
  ];
  const texts = await asRoot('sh', '-c', `cd /usr/share && grep -L postern ${share.join(' ')}`);
  check('completions and the man page are installed', texts.stdout === '' && texts.stderr === '', texts);

  for (const user of ['root', 'someone'] as const) {
    const listed = await run({ user, words: ['postern', 'list', '--json'] });
    check(`${user}, without a display: it lists servers`, lastLineOf(listed)['result'] === 'ok', listed);
    check(`${user}, without a display: Chromium prints nothing`, listed.stderr === '', listed);

    const found = await run({ user, words: ['postern', 'doctor', '--json'] });
    const { result, checks } = lastLineOf(found);
    check(`${user}, without a display: doctor runs`, result === 'ok' && Array.isArray(checks), found);
    check(
      `${user}: doctor reports only the missing keychain`,
      isSameJson(failedOf(found), ['keychain', 'vault']),
      found,
    );

    await connect(user, run);
  }

  const someone = await run({ user: 'someone', words: ['/opt/Postern/postern', '--smoke'], env: window });
  check('someone: the window opens in its sandbox', isInteractive(someone), someone);
  const sandboxed = await run({ user: 'someone', words: ['postern', 'doctor', '--json'], env: window });
  check('someone: doctor finds the sandbox', sandboxOf(sandboxed)?.['ok'] === true, sandboxed);
  const root = await run({ user: 'root', words: ['/opt/Postern/postern', '--no-sandbox', '--smoke'], env: window });
  check('root: the window opens without the sandbox', isInteractive(root), root);

  // On such a computer, the deb makes its sandbox helper setuid root; an archive has none.
  const again = await run({ user: 'root', kind: 'chroot', words: ['dpkg', '--install', '/mnt/postern.deb'] });
  check('without user namespaces: dpkg installs it', again.code === 0, again);
  const withoutNamespaces = { user: 'someone', kind: 'chroot', env: window } as const;
  const withHelper = await run({ ...withoutNamespaces, words: ['/opt/Postern/postern', '--smoke'] });
  check('without user namespaces: the deb’s sandbox helper works', isInteractive(withHelper), withHelper);
  await asRoot('chmod', '0755', '/opt/Postern/chrome-sandbox');
  const refused = await run({ ...withoutNamespaces, words: ['/opt/Postern/postern', '--smoke'] });
  check('without any sandbox: the window does not open', !isInteractive(refused) && refused.code !== 0, refused);
  const withoutSandbox = await run({ ...withoutNamespaces, words: ['postern', 'doctor', '--json'] });
  check('without any sandbox: doctor reports it', sandboxOf(withoutSandbox)?.['ok'] === false, withoutSandbox);
  const listed = await run({ ...withoutNamespaces, words: ['postern', 'list', '--json'] });
  check('without any sandbox: commands work', lastLineOf(listed)['result'] === 'ok', listed);

  await tryAppImage(run, window);

  const removed = await asRoot('dpkg', '--remove', 'postern');
  check('dpkg removes it', removed.code === 0, removed);
  const left = await asRoot('sh', '-c', 'find /usr /etc /opt -xdev -iname "*postern*"');
  check('no file remains', left.stdout === '', left);
}

/** Runs the content of an AppImage with its AppRun script; the image file and its mounting are not tested. */
async function tryAppImage(
  run: (call: Call) => Promise<CommandResult>,
  window: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = '/srv/AppDir';
  const made = await run({
    user: 'root',
    words: [
      ...['sh', '-c'],
      `cp -a /opt/Postern ${folder} && cp /mnt/AppRun ${folder} && rm ${folder}/resources/package-type && chmod 0755 ${folder}/chrome-sandbox`,
    ],
  });
  check('the content of an AppImage can be copied', made.code === 0, made);
  const env = { ...window, APPIMAGE: '/home/someone/Postern.AppImage' };
  // As in docs/install.md.
  const command = [`${folder}/AppRun`, '--no-sandbox', '--ozone-platform=headless', '--disable-gpu', '--cli', '--'];
  for (const kind of ['root', 'chroot'] as const) {
    const where = kind === 'root' ? 'an AppImage' : 'an AppImage without user namespaces';
    const call = { user: 'someone', kind, env } as const;
    const shown = await run({ ...call, words: [`${folder}/AppRun`, '--smoke'] });
    check(`${where}: AppRun opens the window`, isInteractive(shown), shown);
    const looked = await run({ ...call, words: [...command, 'doctor', '--json'] });
    check(
      `${where}: doctor reports whether there is a sandbox`,
      sandboxOf(looked)?.['ok'] === (kind === 'root'),
      looked,
    );
    const listed = await run({ user: 'someone', kind, words: [...command, 'list', '--json'] });
    check(`${where}, without a display: commands work`, lastLineOf(listed)['result'] === 'ok', listed);
  }
}

/** Signs in with the printed URL, which this process opens. */
async function connect(user: Call['user'], run: (call: Call) => Promise<CommandResult>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-demo-'));
  const demo = await startDemo({ folder, mode: 'registration' });
  try {
    const approvals: Promise<unknown>[] = [];
    const ended = await run({
      user,
      words: ['postern', 'connect', demo.url, '--local', '--memory', '--sign-in', 'print', '--json'],
      onLine(line) {
        const { event, url } = readLine(line);
        if (event === 'authorization' && typeof url === 'string') approvals.push(completeSignIn(url));
      },
    });
    await Promise.all(approvals);
    check(`${user}, without a display: it signs in with the printed URL`, lastLineOf(ended)['result'] === 'ok', ended);
  } finally {
    await demo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function runInside(
  lower: string,
  layer: string,
  { user, words, env = {}, kind = 'root', onLine }: Call,
): Promise<CommandResult> {
  const home = user === 'root' ? '/root' : `/home/${user}`;
  const variables = Object.entries({ HOME: home, ...env }).map(([name, value]) => `${name}=${value}`);
  const become = user === 'root' ? [] : ['runuser', '-u', user, '--'];
  const inside = [...variables, ...become, ...words];
  const [command, ...enter] = inDebian(lower, layer, kind);
  const child = spawn(command, [...enter, ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandTimeout,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  let partialLine = '';
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      if (name === 'stderr' || !onLine) return;
      const lines = (partialLine + text).split('\n');
      partialLine = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

function isInteractive({ code, stdout }: CommandResult): boolean {
  return code === 0 && /^interactive$/mu.test(stdout);
}

function checksOf(ended: CommandResult): readonly Readonly<Record<string, unknown>>[] {
  return (lastLineOf(ended)['checks'] ?? []) as readonly Readonly<Record<string, unknown>>[];
}

function failedOf(ended: CommandResult): readonly unknown[] {
  return checksOf(ended).flatMap(({ ok, name }) => (ok === true ? [] : [name]));
}

function sandboxOf(ended: CommandResult): Readonly<Record<string, unknown>> | undefined {
  return checksOf(ended).find(({ name }) => name === 'sandbox');
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function readLine(line: string): Record<string, unknown> {
  return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {};
}

function lastLineOf({ stdout }: CommandResult): Record<string, unknown> {
  return readLine(stdout.trimEnd().split('\n').at(-1) ?? '');
}

let passed = 0;

function check(what: string, holds: boolean, evidence: unknown): void {
  if (!holds) throw new Error(`Failed: ${what}:\n${JSON.stringify(evidence, null, 2)}`);
  passed += 1;
  console.log(`✓ ${what}`);
}

try {
  await main();
  console.log(`\nempty-root: ${passed} passed`);
} catch (error) {
  const isReason = error instanceof NoDebian || error instanceof NoPackage;
  if (!isReason) throw error;
  console.log(`empty-root: skipped, ${error.message}`);
  process.exitCode = values.deb === undefined ? 0 : 1;
}

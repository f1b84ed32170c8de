// What a package does on its own system: `npx node scripts/package/smoke.ts <where it was installed>`. Starts, has its
// fuses, heeds nothing of Node's switches, runs its doctor, connects to the demo and calls a tool.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startDemo } from '../../test/demo/start-demo.ts';
import { expectedFuses, readFuses } from './expected-fuses.ts';
import { expectedGuards, readGuards } from './expected-guards.ts';
import { findInstalledProgram } from './installed-program.ts';

/** Milliseconds for one start of the program: a machine that builds is slow. */
const patience = 90_000;

export async function smoke(place: string, platform = process.platform): Promise<void> {
  const { executable, command, pipe } = findInstalledProgram(place, platform);
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-smoke-'));
  const browser = path.join(import.meta.dirname, '../../test/support/approving-browser.ts');
  const env = {
    ...process.env,
    POSTERN_HOME: path.join(folder, 'profile'),
    BROWSER: `${process.execPath} ${browser}`,
    POSTERN_UPDATES: 'off',
  };
  const postern = (...words: string[]) => run([...command, ...words, '--json'], env);
  const demo = await startDemo({ folder: path.join(folder, 'demo'), mode: 'registration' });
  try {
    const fuses = await readFuses(executable);
    check('fuses are as configured', isDeepStrictEqual(fuses, expectedFuses), fuses);

    const window = await run([executable, '--smoke', '--describe-guards'], env);
    check('the window opens', window.code === 0 && /^interactive$/m.test(window.stdout), window);
    const guards = readGuards(window.stdout);
    check('its pages are guarded as they have to be', isDeepStrictEqual(guards, expectedGuards), guards);

    // AI programs start it by itself; one that was packaged without cargo has none. Without words it says how it is called.
    if (existsSync(pipe)) {
      const usage = await run([pipe], env);
      check('its pipe runs on this system', usage.code === 2 && usage.stderr.startsWith('Usage:'), usage);
    }

    // Each of these would run or stop at a file of somebody else's, if the program heeded it (PK-02).
    const evil = path.join(folder, 'evil.cjs');
    for (const variables of [{ ELECTRON_RUN_AS_NODE: '1' }, { NODE_OPTIONS: `--require ${evil}` }]) {
      const answer = await run([...command, '--version', '--json'], { ...env, ...variables });
      check(`${Object.keys(variables).join()} is not heeded`, lastOf(answer)['result'] === 'ok', answer);
    }

    const found = await postern('doctor');
    check('`postern doctor` finds nothing wrong', lastOf(found)['healthy'] === true, found);

    const connected = await postern('connect', demo.url, '--local', '--name', 'Demo');
    check('it connects to the demo', lastOf(connected)['result'] === 'ok', connected);
    const tools = await postern('tools', 'Demo');
    check('it lists the tools of the demo', JSON.stringify(lastOf(tools)['tools']).includes('"whoami"'), tools);
    const called = await postern('call', 'Demo', 'whoami');
    check('it calls a tool', lastOf(called)['isError'] === false, called);
  } finally {
    await demo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run([file = '', ...words]: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => void (output[name] += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

function lastOf({ stdout }: Ended): Record<string, unknown> {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {};
}

function check(what: string, holds: boolean, evidence: unknown): void {
  if (!holds) throw new Error(`It does not hold that ${what}:\n${JSON.stringify(evidence, null, 2)}`);
  console.log(`✓ ${what}`);
}

if (import.meta.main) {
  const [place] = process.argv.slice(2);
  if (place === undefined) throw new Error('Say where the program was installed');
  await smoke(place);
}

// Smoke test of an installed package: `npx node scripts/package/smoke.ts <installation folder>`. Checks that it starts,
// has its fuses, ignores Node's switches, runs its doctor, connects to the demo and calls a tool.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startDemo } from '../../test/demo/start-demo.ts';
import { expectedFuses, readFuses } from './expected-fuses.ts';
import { expectedGuards, readGuards } from './expected-guards.ts';
import { findInstalledPostern } from './installed-postern.ts';

/** Milliseconds for one start of Postern: build machines are slow. */
const startTimeout = 90_000;

export async function smoke(installation: string, platform = process.platform): Promise<void> {
  const { executable, command, pipe } = findInstalledPostern(installation, platform);
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
    check('its pages are guarded as required', isDeepStrictEqual(guards, expectedGuards), guards);

    // AI apps start the pipe directly. A package built without cargo has none. Without arguments it prints its usage.
    if (existsSync(pipe)) {
      const usage = await run([pipe], env);
      check('its pipe runs on this system', usage.code === 2 && usage.stderr.startsWith('Usage:'), usage);
    }

    // If Postern honored these, it would run or fail on an attacker's file (PK-02).
    const evil = path.join(folder, 'evil.cjs');
    for (const variables of [{ ELECTRON_RUN_AS_NODE: '1' }, { NODE_OPTIONS: `--require ${evil}` }]) {
      const result = await run([...command, '--version', '--json'], { ...env, ...variables });
      check(`${Object.keys(variables).join()} is ignored`, lastOf(result)['result'] === 'ok', result);
    }

    const found = await postern('doctor');
    check('`postern doctor` finds nothing wrong', lastOf(found)['healthy'] === true, found);

    const connected = await postern('connect', demo.url, '--local', '--name', 'Demo');
    check('it connects to the demo', lastOf(connected)['result'] === 'ok', connected);
    const tools = await postern('tools', 'Demo');
    check("it lists the demo's tools", JSON.stringify(lastOf(tools)['tools']).includes('"whoami"'), tools);
    const called = await postern('call', 'Demo', 'whoami');
    check('it calls a tool', lastOf(called)['isError'] === false, called);
  } finally {
    await demo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run([file = '', ...words]: readonly string[], env: NodeJS.ProcessEnv): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: startTimeout,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => void (output[name] += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

function lastOf({ stdout }: ProcessResult): Record<string, unknown> {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {};
}

function check(what: string, holds: boolean, evidence: unknown): void {
  if (!holds) throw new Error(`Failed: ${what}:\n${JSON.stringify(evidence, null, 2)}`);
  console.log(`✓ ${what}`);
}

if (import.meta.main) {
  const [installation] = process.argv.slice(2);
  if (installation === undefined) throw new Error('Name the installation folder');
  await smoke(installation);
}

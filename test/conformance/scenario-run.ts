import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScenarioRun {
  readonly scenario: string;
  readonly revision: string;
  readonly verdict: 'passed' | 'failed' | 'void';
  readonly success: number;
  readonly failure: number;
  readonly warning: number;
  readonly milliseconds: number;
  /** IDs of the checks that did not succeed. */
  readonly failedChecks: readonly string[];
  /** Why it did not pass, in a line or a few. */
  readonly reason: string;
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description?: string;
  readonly errorMessage?: string;
}

const root = join(import.meta.dirname, '../..');
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const timeLimit = 60_000;

/** Replaces the revision for a scenario of an extension, which belongs to none. */
export const extension = 'extension';

/** Every client scenario of the suite with the revisions that it applies to; extensions have none. */
export async function listScenarios(): Promise<readonly { scenario: string; revisions: readonly string[] }[]> {
  const { output } = await runSuite(['list', '--client']);
  return [...output.matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)].map(([, scenario = '', revisions = '']) => ({
    scenario,
    revisions: revisions.split(',').filter((revision) => /^\d/.test(revision)),
  }));
}

/**
 * Runs one scenario at one revision against the command line. Passed means that the suite says so and that at least
 * one of its checks succeeded: a run in which nothing was checked proves nothing.
 */
export async function runScenario(
  scenario: string,
  revision: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<ScenarioRun> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-checks-'));
  const started = performance.now();
  try {
    const words = ['client', '--command', 'node test/conformance/client.ts', '--scenario', scenario];
    if (revision !== extension) words.push('--spec-version', revision);
    words.push('--timeout', String(timeLimit), '-o', folder);
    const { exitCode, output } = await runSuite(words, environment);
    const [file] = globSync('**/checks.json', { cwd: folder });
    const checks = file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]);
    const count = (status: string) => checks.filter((check) => check.status === status).length;
    const success = count('SUCCESS');
    const clean = exitCode === 0 && count('FAILURE') === 0 && count('WARNING') === 0;
    const verdict = !clean ? 'failed' : success === 0 ? 'void' : 'passed';
    return {
      scenario,
      revision,
      verdict,
      success,
      failure: count('FAILURE'),
      warning: count('WARNING'),
      failedChecks: checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id),
      milliseconds: performance.now() - started,
      reason: verdict === 'passed' ? '' : describeFailure(checks, output),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeFailure(checks: readonly Check[], output: string): string {
  const bad = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ status, id, errorMessage, description }) => `${status} ${id}: ${errorMessage ?? description ?? ''}`);
  // If the client ended with an error, the output has what the command line printed.
  const lines = output
    .split('\n')
    .filter((line) => /^> postern|"result":"error"|^Node\.js|Error:|TIMED OUT/.test(line));
  return [...bad, ...lines.slice(-6)].join('\n') || output.trim().split('\n').slice(-5).join('\n');
}

function runSuite(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...words], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // The suite starts our client by `node`, which has to be this one.
      env: { ...process.env, ...environment, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

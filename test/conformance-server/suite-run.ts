import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** What the suite found about one server: its checks by scenario, in the order in which they ran. */
export interface SuiteRun {
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
  readonly output: string;
  readonly milliseconds: number;
}

const root = join(import.meta.dirname, '../..');
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const announced = /^=== Running scenario: (\S+) ===$/gmu;
/** `server-NAME-` and the time, with which the suite names the folder of a scenario. */
const folderName = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u;

/** Runs everything that a revision of MCP requires of a server. */
export async function runServerSuite(url: string, revision: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-checks-'));
  const started = performance.now();
  try {
    const output = await runSuite(['server', '--url', url, '--requirements', revision, '-o', folder]);
    // A scenario that could not run leaves no folder.
    const scenarios = new Map([...output.matchAll(announced)].map(([, name = '']) => [name, [] as readonly Check[]]));
    for (const file of globSync('*/checks.json', { cwd: folder })) {
      const scenario = folderName.exec(dirname(file))?.[1] ?? '';
      scenarios.set(scenario, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]);
    }
    return { scenarios, output, milliseconds: performance.now() - started };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its exit code repeats what the checks say. */
function runSuite(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

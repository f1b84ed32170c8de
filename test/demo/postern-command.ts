import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Relative, so that a space in a folder name cannot split `$BROWSER`; child processes start in the same folder. */
export const launcher = 'bin/postern.js';

export interface PosternCommand {
  readonly words: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** First line of its standard input, such as a client secret, followed by what the user types. */
  readonly firstLine?: string;
}

/**
 * Shows a command as a user would type it, then runs it in this terminal. Returns its exit code; 130 if a signal ended
 * it.
 */
export async function showPostern({ words, environment, firstLine }: PosternCommand): Promise<number> {
  process.stdout.write(`\n$ npx postern ${words.map(quote).join(' ')}\n`);
  const child = spawn(process.execPath, [launcher, ...words], {
    stdio: [firstLine === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (firstLine !== undefined && child.stdin !== null) {
    // A child that has ended no longer reads; its exit code is enough.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${firstLine}\n`);
    process.stdin.pipe(child.stdin);
  }
  const end = (): void => void child.kill('SIGTERM');
  process.once('SIGTERM', end);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGTERM', end);
  if (firstLine !== undefined && child.stdin !== null) {
    process.stdin.unpipe(child.stdin);
    process.stdin.pause();
  }
  return code ?? 130;
}

/** Runs a command silently. Returns its exit code and its last line of JSON. */
export async function askPostern(words: readonly string[]): Promise<{ code: number; result: Record<string, unknown> }> {
  const child = spawn(process.execPath, [launcher, ...words, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const last = Buffer.concat(chunks).toString('utf8').trim().split('\n').at(-1) ?? '';
  try {
    return { code: code ?? 130, result: JSON.parse(last) as Record<string, unknown> };
  } catch {
    return { code: code ?? 130, result: {} };
  }
}

function quote(word: string): string {
  return /^[\w:/.=-]+$/.test(word) ? word : `'${word}'`;
}

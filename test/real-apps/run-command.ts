import { spawn } from 'node:child_process';

export interface CommandRun {
  /** `null`: it took too long, and was ended. */
  readonly code: number | null;
  /** Standard output, then standard error, without colors. */
  readonly output: string;
}

/** For one run of one app. */
const mostTime = 180_000;

/** Runs a command to its end, including everything it has started. */
export async function runCommand(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<CommandRun> {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (streams[name] += text));
  }
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All its processes have exited.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, mostTime);
  child.once('exit', endGroup);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      streams.stderr += String(error);
      resolve(-1);
    });
    child.once('close', resolve);
  });
  clearTimeout(timer);
  if (isLate) streams.stderr += `\nIt did not end within ${mostTime / 1000} s.`;
  // Colors and cursor movements.
  const output = `${streams.stdout}\n${streams.stderr}`.replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '');
  return { code: isLate ? null : code, output };
}

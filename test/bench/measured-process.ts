import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface ProcessOptions {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Called with every output line; returns true for the result. */
  readonly onLine: (line: string, type: (text: string) => void) => boolean;
  /** Standard input. */
  readonly stdin?: string;
  /** Samples memory while it runs, which costs time, so not for timed runs. */
  readonly watchMemory?: boolean;
}

export interface ProcessRun {
  /** Milliseconds from process start to its result. */
  readonly milliseconds: number;
  /** The result line. */
  readonly response: string;
  /** Peak kilobytes of the process, and with its children; shared pages count once. */
  readonly peak: { readonly own: number; readonly tree: number } | undefined;
}

/** No measurement: a process gave no result, or was too slow on this machine. */
export class NotMeasured extends Error {
  constructor(reason: string, lines: readonly string[]) {
    super([reason, ...lines.slice(-20)].join('\n'));
  }
}

/** Timeout for a result in milliseconds. */
const longest = 60_000;

/** Runs a process until it gives its result, then ends it. Errors: NotMeasured. */
export async function runMeasured(options: ProcessOptions): Promise<ProcessRun> {
  const { command, env, onLine, stdin, watchMemory } = options;
  const [file = '', ...rest] = command;
  const start = performance.now();
  const child = spawn(file, rest, { env: { ...process.env, ...env }, stdio: 'pipe' });
  const { promise, resolve, reject } = Promise.withResolvers<{ response: string; milliseconds: number }>();
  const lines: string[] = [];
  const type = (text: string): void => void child.stdin.write(text);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      try {
        if (onLine(line, type)) resolve({ response: line, milliseconds: performance.now() - start });
      } catch (error) {
        reject(error);
      }
    });
  }
  child.stdin.on('error', () => {});
  // After its last output line.
  child.once('close', () => reject(new NotMeasured('it ended without an answer', lines)));
  const late = setTimeout(() => reject(new NotMeasured(`no answer within ${longest / 1_000} s`, lines)), longest);
  if (stdin !== undefined) type(stdin);
  const peak = { own: 0, tree: 0 };
  const watch = watchMemory ? setInterval(() => notePeak(child.pid ?? 0, peak), 5) : undefined;
  try {
    const { response, milliseconds } = await promise;
    if (watchMemory) notePeak(child.pid ?? 0, peak);
    return { response, milliseconds, peak: watchMemory ? peak : undefined };
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    await ended(child);
  }
}

/** A process that ends on its own may clean up first; others are killed. */
async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin?.end();
  const stop = setTimeout(() => child.kill('SIGKILL'), 500);
  await exit;
  clearTimeout(stop);
}

function notePeak(pid: number, peak: { own: number; tree: number }): void {
  const processes = listTree(pid);
  // Linux records the peak of a single process, so sampling does not miss it.
  peak.own = Math.max(peak.own, processes[0]?.highest ?? 0);
  const own = processes.reduce((sum, { anonymous }) => sum + anonymous, 0);
  peak.tree = Math.max(peak.tree, own + Math.max(0, ...processes.map(({ file }) => file)));
}

interface Memory {
  readonly highest: number;
  readonly anonymous: number;
  /** Memory of executables and libraries, which processes share. */
  readonly file: number;
}

/** A process and its descendants. Empty if it has ended, or not on Linux. */
function listTree(pid: number): readonly Memory[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    const memory = { highest: read('VmHWM'), anonymous: read('RssAnon'), file: read('RssFile') };
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [memory, ...(children === '' ? [] : children.split(' ')).flatMap((child) => listTree(Number(child)))];
  } catch {
    return [];
  }
}

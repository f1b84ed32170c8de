import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bundleScript } from './bundle-script.ts';
import type { BundledScript } from './bundle-script.ts';
import { node } from './run-script.ts';

export interface EngineTask {
  readonly do: 'tools' | 'refresh';
  readonly id: string;
}

export interface EngineOutcome {
  readonly ok: boolean;
  readonly code?: string;
}

export interface EngineInProcess {
  /** Rejects if the process ends before it responds. */
  run(task: EngineTask): Promise<EngineOutcome>;
  kill(signal: NodeJS.Signals): void;
}

let bundle: BundledScript | undefined;

/** For `beforeAll`. Returns a function that removes the bundle. */
export async function bundleEngineProcess(): Promise<() => void> {
  bundle = await bundleScript('engine-process');
  return bundle.remove;
}

/** Starts `engine-process.ts` on a profile folder; ends with the test. */
export async function startEngine(folder: string): Promise<EngineInProcess> {
  if (bundle === undefined) throw new Error('`bundleEngineProcess` comes first');
  const [file = '', ...rest] = node(bundle.file, folder);
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<EngineOutcome> => {
    const line = await lines.next();
    if (line.done) throw new Error('the engine has ended');
    return JSON.parse(line.value) as EngineOutcome;
  };
  await next();
  return {
    async run(task) {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      return await next();
    },
    kill: (signal) => void child.kill(signal),
  };
}

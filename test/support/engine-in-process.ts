import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { node, supportScript } from './run-script.ts';

export interface EngineTask {
  readonly do: 'tools' | 'refresh';
  readonly id: string;
}

export interface EngineOutcome {
  readonly ok: boolean;
  readonly code?: string;
}

export interface EngineInProcess {
  /** Rejects when the process ends before it answers. */
  ask(task: EngineTask): Promise<EngineOutcome>;
  kill(signal: NodeJS.Signals): void;
}

/** `engine-process.ts` on a profile folder, ready for tasks, gone after the test. */
export async function startEngine(folder: string): Promise<EngineInProcess> {
  const [file = '', ...rest] = node(supportScript('engine-process.ts'), folder);
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
    async ask(task) {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      return await next();
    },
    kill: (signal) => void child.kill(signal),
  };
}

import type { FaultPoint } from './fault-points.ts';
import { node, runScript, supportScript } from './run-script.ts';

interface Ended {
  readonly killed: boolean;
  /** Every point, when the run reached its end. */
  readonly passed: readonly FaultPoint[];
}

/** Carries `operation` out in a process of its own, which dies at point `fatal` (from 1; 0: nowhere). */
export async function runFaultyProcess(folder: string, operation: string, url: string, fatal = 0): Promise<Ended> {
  const command = node(supportScript('faulty-process.ts'), folder, operation, url, String(fatal));
  const { signal, lines } = await runScript(command).ended;
  if (signal === 'SIGKILL') return { killed: true, passed: [] };
  const { code, passed } = JSON.parse(lines[0] ?? '{}') as { code?: string; passed: FaultPoint[] };
  if (code !== undefined) throw new Error(`${operation} failed: ${code}`);
  return { killed: false, passed };
}

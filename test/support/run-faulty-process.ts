import { bundleScript } from './bundle-script.ts';
import type { BundledScript } from './bundle-script.ts';
import type { FaultPoint } from './fault-points.ts';
import { node, runScript } from './run-script.ts';

interface Ended {
  readonly killed: boolean;
  /** Every point, if the run reached its end. */
  readonly passed: readonly FaultPoint[];
}

let bundle: BundledScript | undefined;

/** For `beforeAll`: a test starts the process a hundred times. Returns a function that removes the bundle. */
export async function bundleFaultyProcess(): Promise<() => void> {
  bundle = await bundleScript('faulty-process');
  return bundle.remove;
}

/** Runs `operation` in its own process, which dies at point `fatal` (from 1; 0 for never). */
export async function runFaultyProcess(folder: string, operation: string, url: string, fatal = 0): Promise<Ended> {
  if (bundle === undefined) throw new Error('`bundleFaultyProcess` comes first');
  const command = node(bundle.file, folder, operation, url, String(fatal));
  const { signal, lines } = await runScript(command).ended;
  if (signal === 'SIGKILL') return { killed: true, passed: [] };
  const { code, passed } = JSON.parse(lines[0] ?? '{}') as { code?: string; passed: FaultPoint[] };
  if (code !== undefined) throw new Error(`${operation} failed: ${code}`);
  return { killed: false, passed };
}

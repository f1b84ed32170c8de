import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleForNode } from '../../scripts/build.ts';
import type { FaultPoint } from './fault-points.ts';
import { node, runScript, supportScript } from './run-script.ts';

interface Ended {
  readonly killed: boolean;
  /** Every point, when the run reached its end. */
  readonly passed: readonly FaultPoint[];
}

let bundle: string | undefined;

/**
 * For `beforeAll`: a test starts the process a hundred times, and from its sources, reading those would take most of the
 * processor. Answers what removes the bundle.
 */
export async function bundleFaultyProcess(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-faulty-'));
  const entry = supportScript('faulty-process.ts');
  await bundleForNode(folder, { 'faulty-process': entry }, { logLevel: 'error' });
  bundle = path.join(folder, 'faulty-process.js');
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Carries `operation` out in a process of its own, which dies at point `fatal` (from 1; 0: nowhere). */
export async function runFaultyProcess(folder: string, operation: string, url: string, fatal = 0): Promise<Ended> {
  if (bundle === undefined) throw new Error('`bundleFaultyProcess` comes first');
  const command = node(bundle, folder, operation, url, String(fatal));
  const { signal, lines } = await runScript(command).ended;
  if (signal === 'SIGKILL') return { killed: true, passed: [] };
  const { code, passed } = JSON.parse(lines[0] ?? '{}') as { code?: string; passed: FaultPoint[] };
  if (code !== undefined) throw new Error(`${operation} failed: ${code}`);
  return { killed: false, passed };
}

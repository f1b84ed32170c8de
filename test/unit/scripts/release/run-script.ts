import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Runs one of the project's scripts and waits for its end. */
export function runScript(script: string, env: Readonly<Record<string, string>>, ...words: string[]) {
  const file = path.join(import.meta.dirname, '../../../..', script);
  return spawnSync(process.execPath, [file, ...words], { env: { ...process.env, ...env }, encoding: 'utf8' });
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Installation } from './installation.ts';

export interface PipeCommand {
  /** Absolute, and at a place that stays. */
  readonly command: string;
  /** Before those that say which server. */
  readonly args: readonly string[];
}

/** What an entry of a program starts, with no variable but HOME and PATH. */
export function pipeCommand({ packaged }: Pick<Installation, 'packaged'>): PipeCommand {
  if (packaged) return { command: process.execPath, args: ['--cli', 'proxy'] };
  return { command: process.execPath, args: [findLauncher(import.meta.dirname), 'proxy'] };
}

/** `bin/postern.js` above the sources, and above what is built of them. */
function findLauncher(folder: string): string {
  const launcher = path.join(folder, 'bin', 'postern.js');
  const above = path.dirname(folder);
  return existsSync(launcher) || above === folder ? launcher : findLauncher(above);
}

import { cpSync } from 'node:fs';
import path from 'node:path';
import { findInstalledProgram } from '../../../scripts/package/installed-program.ts';
import type { InstalledProgram } from '../../../scripts/package/installed-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runProgram } from './run-program.ts';
import type { Ended } from './run-program.ts';

/** An installed program, and how it is started here. */
export interface TestedProgram extends InstalledProgram {
  /** Where it is installed. */
  readonly place: string;
  readonly platform: NodeJS.Platform;
  /** What it gets, before whatever a test adds; its profile is this test's own. */
  readonly env: NodeJS.ProcessEnv;
}

/** `place`: as `findInstalledProgram` wants it. */
export function testedProgram(place: string, platform = process.platform): TestedProgram {
  const env = { ...process.env, POSTERN_HOME: path.join(temporaryFolder(), 'profile'), POSTERN_UPDATES: 'off' };
  return { ...findInstalledProgram(place, platform), place: path.resolve(place), platform, env };
}

/** Another one, to be damaged. */
export function copyProgram({ place, platform }: TestedProgram): TestedProgram {
  const copy = path.join(temporaryFolder(), path.basename(place));
  cpSync(place, copy, { recursive: true, verbatimSymlinks: true });
  return testedProgram(copy, platform);
}

/** The words that start its own file as a command, after `before`: no window, and no display is needed. */
export function asCommand({ executable, platform }: TestedProgram, before: readonly string[], ...words: string[]) {
  const headless = platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu'] : [];
  // Chromium's sandbox cannot start for root.
  const sandbox = platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [executable, ...before, ...sandbox, ...headless, '--cli', '--', ...words];
}

/** Which version it says that it is. */
export async function askVersion(program: TestedProgram): Promise<Ended> {
  return await runProgram([...program.command, '--version', '--json'], program);
}

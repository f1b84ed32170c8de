import { cpSync } from 'node:fs';
import path from 'node:path';
import { findInstalledPostern } from '../../../scripts/package/installed-postern.ts';
import type { InstalledPostern } from '../../../scripts/package/installed-postern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runPostern } from './run-postern.ts';
import type { Ended } from './run-postern.ts';

/** An installed Postern, and how to start it. */
export interface TestedPostern extends InstalledPostern {
  /** Where it is installed. */
  readonly place: string;
  readonly platform: NodeJS.Platform;
  /** What it gets, before whatever a test adds; its profile is this test's own. */
  readonly env: NodeJS.ProcessEnv;
}

/** `place`: as `findInstalledPostern` wants it. */
export function testedPostern(place: string, platform = process.platform): TestedPostern {
  const env = { ...process.env, POSTERN_HOME: path.join(temporaryFolder(), 'profile'), POSTERN_UPDATES: 'off' };
  return { ...findInstalledPostern(place, platform), place: path.resolve(place), platform, env };
}

/** A copy to damage. */
export function copyPostern({ place, platform }: TestedPostern): TestedPostern {
  const copy = path.join(temporaryFolder(), path.basename(place));
  cpSync(place, copy, { recursive: true, verbatimSymlinks: true });
  return testedPostern(copy, platform);
}

/** Arguments that run its own file as a command, after `before`: no window, no display. */
export function asCommand({ executable, platform }: TestedPostern, before: readonly string[], ...words: string[]) {
  const headless = platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu'] : [];
  // Chromium's sandbox does not start as root.
  const sandbox = platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [executable, ...before, ...sandbox, ...headless, '--cli', '--', ...words];
}

/** The version it reports. */
export async function askVersion(postern: TestedPostern): Promise<Ended> {
  return await runPostern([...postern.command, '--version', '--json'], postern);
}

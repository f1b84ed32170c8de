// `npx node scripts/release/check-electron.ts`: fails if the packaged Electron is no longer supported, or is two weeks
// behind the fixes of its release line (PK-10). Queries the package registry through npm.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../main/window/updates/updates.ts';

/** When each version was published, from `npm view electron time --json` (ISO 8601). */
export type PublicationTimes = Readonly<Record<string, string>>;

/** Electron supports its three newest majors: https://www.electronjs.org/docs/latest/tutorial/electron-timelines */
const supportedMajors = 3;
/** Milliseconds within which SECURITY.md promises a fix for a vulnerability in Electron, Chromium or Node. */
const fixTime = 14 * 24 * 3_600_000;

/** Why this Electron may not be shipped at `now` (milliseconds since 1970); empty when it may. */
export function findElectronFaults(pinned: string, times: PublicationTimes, now: number): string[] {
  const published = Object.entries(times)
    .filter(([version, time]) => /^\d+\.\d+\.\d+$/.test(version) && Date.parse(time) <= now)
    .map(([version, time]) => ({ version, time: Date.parse(time), major: Number.parseInt(version, 10) }));
  const own = published.find(({ version }) => version === pinned);
  if (!own) return [`Electron ${pinned} is not a published version`];
  const majors = [...new Set(published.map(({ major }) => major))].toSorted((one, other) => other - one);
  const oldest = majors[supportedMajors - 1] ?? 0;
  if (own.major < oldest) return [`Electron ${pinned} is no longer supported; the oldest supported major is ${oldest}`];
  const newer = published.filter(({ major, version }) => major === own.major && compareVersions(version, pinned) > 0);
  const since = Math.min(...newer.map(({ time }) => time));
  if (now - since <= fixTime) return [];
  const newest = newer
    .map(({ version }) => version)
    .toSorted(compareVersions)
    .at(-1);
  return [
    `Electron ${pinned} is older than the newest release of its major, ${newest}; fixes have been out since ${day(since)}`,
  ];
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `npm`: the command to run; tests replace it. */
export function readPublicationTimes(npm: readonly string[] = ['npm']): PublicationTimes {
  const [file = 'npm', ...more] = npm;
  const options = { encoding: 'utf8' as const, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
  return JSON.parse(execFileSync(file, [...more, 'view', 'electron', 'time', '--json'], options)) as PublicationTimes;
}

if (import.meta.main) {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { electron: version = '' } = (JSON.parse(text) as { devDependencies: Record<string, string> }).devDependencies;
  const faults = findElectronFaults(version, readPublicationTimes(), Date.now());
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) console.log(`Electron ${version} is supported and up to date.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

import { lstatSync, readlinkSync } from 'node:fs';

/** How this process formats dates and sorts text. */
interface DateStyle {
  readonly locale: string;
  readonly timeZone: string;
}

/** A style with the environment it was derived from, so that child processes can reuse it: detecting it takes 14 ms. */
export interface KnownDateStyle extends DateStyle {
  readonly surroundings: string;
}

const variables = /^(?:TZ|TZDIR|LANG|LANGUAGE|LC_\w+|ICU_\w+)$/u;
/** The system's time zone: a symbolic link to the zone file, or a copy of it. */
const zoneFile = '/etc/localtime';

/** Everything that determines the style; `undefined` where Windows or Chromium has a say. */
export function dateEnvironment(): string | undefined {
  const { platform, version, versions, env } = process;
  if (platform === 'win32' || versions['electron'] !== undefined) return undefined;
  const set = Object.entries(env).filter(([name]) => variables.test(name));
  return JSON.stringify([version, set.toSorted(([one], [other]) => (one < other ? -1 : 1)), zoneFingerprint()]);
}

function zoneFingerprint(): unknown {
  const stats = lstatSync(zoneFile, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true ? readlinkSync(zoneFile) : [stats?.size, stats?.mtimeMs];
}

export function dateStyle(known?: KnownDateStyle): DateStyle {
  if (known && known.surroundings === dateEnvironment()) return known;
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { locale, timeZone };
}

export function knownDateStyle(): KnownDateStyle | undefined {
  const surroundings = dateEnvironment();
  return surroundings === undefined ? undefined : { surroundings, ...dateStyle() };
}

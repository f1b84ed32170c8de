// `npx node scripts/release/check-lockfile.ts`: fails if the lockfile contains something that nobody has reviewed
// (PK-11). Needs no installed packages.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';

type Names = Readonly<Record<string, string>>;

interface Dependencies {
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
}

export interface LockedPackage extends Dependencies {
  /** Set if it differs from the folder's name: `npm:another@1`. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

export interface Lockfile {
  readonly lockfileVersion: number;
  /** By folder; the project itself has the empty name. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Description extends Dependencies {
  /** Packages whose install scripts were reviewed, and whether they may run. */
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

/** What needs review before these packages are installed; empty if nothing is new. */
export function findLockfileFaults(lockfile: Lockfile, description: Description): string[] {
  const { '': project = {}, ...packages } = lockfile.packages;
  const entries = Object.entries(packages);
  const hosts = new Set(entries.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [hostOf(resolved)])));
  return [
    ...(lockfile.lockfileVersion === 3 ? [] : [`package-lock.json has version ${lockfile.lockfileVersion}, not 3`]),
    ...findDrift(project, description),
    ...entries.flatMap(([folder, entry]) => findPackageFaults(folder, entry)),
    ...(hosts.size > 1 ? [`packages come from ${hosts.size} hosts: ${[...hosts].join(', ')}`] : []),
    ...findScriptFaults(entries, description.allowScripts ?? {}),
  ];
}

function findDrift(project: Dependencies, description: Description): string[] {
  return (['dependencies', 'devDependencies', 'optionalDependencies'] as const).flatMap((kind) => {
    const wanted = description[kind] ?? {};
    const loose = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
    return [
      ...(isDeepStrictEqual(project[kind] ?? {}, wanted) ? [] : [`${kind} differ from those of package.json`]),
      ...loose.map(([name, version]) => `${name} is requested as ${version}, which is not an exact version`),
    ];
  });
}

function findPackageFaults(folder: string, { name, resolved, integrity, link, inBundle }: LockedPackage): string[] {
  const faults: string[] = [];
  if (!folder.startsWith('node_modules/') || link === true) faults.push('is not a registry package');
  if (name !== undefined && name !== nameOf(folder)) faults.push(`is really ${name}`);
  // A bundled package is covered by the hash of its archive.
  if (inBundle !== true && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) faults.push('has no SHA-512');
  if (resolved !== undefined && !/^https:\/\/[^@]+\.tgz$/.test(resolved)) faults.push(`comes from ${resolved}`);
  return faults.map((fault) => `${folder} ${fault}`);
}

function findScriptFaults(
  entries: readonly (readonly [string, LockedPackage])[],
  allowed: Readonly<Record<string, boolean>>,
): string[] {
  const found = new Set(entries.flatMap(([folder, entry]) => (entry.hasInstallScript ? [nameOf(folder)] : [])));
  return [
    ...[...found]
      .filter((name) => !Object.hasOwn(allowed, name))
      .map((name) => `${name} has an install script that is not listed in allowScripts of package.json`),
    ...Object.keys(allowed)
      .filter((name) => !found.has(name))
      .map((name) => `allowScripts of package.json names ${name}, which has no install script`),
  ];
}

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
const hostOf = (address: string): string => URL.parse(address)?.host ?? address;

if (import.meta.main) {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
  const faults = findLockfileFaults(read('package-lock.json') as Lockfile, read('package.json') as Description);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

import type { System } from './program.ts';

/** Where programs of this person and system keep their files. */
export interface Surroundings {
  readonly system: System;
  /** Absolute. */
  readonly home: string;
  /** A variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** A path of the table on this computer, absolute; a `*` in it stays. */
export function pathHere(template: string, { system, home, variable }: Surroundings): string {
  const moved = template.replace(/^\{([A-Z_]+)\|([^}]*)\}/, (_all, name: string, otherwise: string) => {
    const value = variable(name);
    // A relative one is of no use (XDG base directory specification), and would be another place in each folder.
    return value !== undefined && /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(value) ? value.replace(/[\\/]+$/, '') : otherwise;
  });
  const path = moved.replace(/^~/, () => home);
  return system === 'win32' ? path.replaceAll('/', '\\') : path;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}

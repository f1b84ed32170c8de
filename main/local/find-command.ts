import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { shownProgram } from '../secret-words.ts';
import { CommandNotFound, CommandNotRunnable, UnsentRequest } from '../request-error.ts';

type Platform = Pick<typeof process, 'platform'>['platform'];

/**
 * The file that a command means: an absolute path as it stands, one with a slash from `folder`, a name as it is found in
 * `searched`, the value of PATH. A link stays what it is: many a program does what its name says. Errors: LOCAL_NOT_FOUND.
 */
export function findCommand(
  command: string,
  folder: string | undefined,
  { searched, extensions, platform = process.platform }: Searching,
): string {
  const hasPlace = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const places = hasPlace
    ? [path.resolve(folder ?? homedir(), command)]
    : searched
        .split(path.delimiter)
        .filter((place) => path.isAbsolute(place))
        .map((place) => path.join(place, command));
  // `python3.11` has no ending that Windows would run.
  const isWhole = extensions.some((end) => command.toUpperCase().endsWith(end.toUpperCase()));
  const ends = platform === 'win32' && !isWhole ? extensions : [''];
  const files = places.flatMap((place) => ends.map((end) => place + end));
  const found = files.find((file) => isProgram(file));
  if (found !== undefined) return found;
  if (!files.some((file) => isFile(file)))
    throw new CommandNotFound('LOCAL_NOT_FOUND', { stage: 'local', detail: { command: shownProgram(command) } });
  throw new CommandNotRunnable('LOCAL_NOT_FOUND', {
    stage: 'local',
    detail: { command: shownProgram(command), denied: 1 },
  });
}

interface Searching {
  readonly searched: string;
  /** Ends of names that run on Windows, in their order. */
  readonly extensions: readonly string[];
  readonly platform?: Platform;
}

/** Errors: LOCAL_NOT_FOUND. */
export function requireFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UnsentRequest('LOCAL_NOT_FOUND', { stage: 'local', detail: { folder }, remedy: { kind: 'name-folder' } });
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

export function isProgram(file: string): boolean {
  if (!isFile(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileBytes } from '../../limits.ts';
import { readPlainFileSync, requirePlainFile } from '../../plain-file.ts';
import { errnoOf, makeFolder, toFileSystemError } from '../files/file-system-error.ts';

/** An XDG autostart entry (Desktop Application Autostart Specification) for one profile. */
interface Autostart {
  /** Absolute. */
  readonly profileFolder: string;
  /** The executable, at a path that survives updates, and its arguments. */
  readonly command: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

export function autostartFile(env: Variables = process.env): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), 'autostart', 'postern.desktop');
}

/** Desktop Entry Specification 1.5. An `X-Postern-Profile` field names the profile. */
export function autostartText({ profileFolder, command }: Autostart): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Postern',
    'Comment=Serves AI apps in the background',
    `Exec=${asValue(command.map(asArgument).join(' '))}`,
    'Terminal=false',
    'StartupNotify=false',
    profileLine(profileFolder),
    '',
  ].join('\n');
}

/** Whether the entry starts this profile and is enabled. Desktops disable entries through their own fields. */
export function isAutostarted(profileFolder: string, file = autostartFile()): boolean {
  const lines = readLines(file);
  if (!lines.includes(profileLine(profileFolder))) return false;
  return !lines.includes('Hidden=true') && !lines.includes('X-GNOME-Autostart-enabled=false');
}

/** Errors: CFG_READONLY, CFG_DISK_FULL. */
export function writeAutostart(autostart: Autostart, file = autostartFile()): void {
  const text = autostartText(autostart);
  if (readLines(file).join('\n') === text) return;
  makeFolder(path.dirname(file), 'settings');
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats) requirePlainFile(stats, file);
    writeFileSync(file, text);
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
}

/** Leaves the entry of another profile alone. Errors: CFG_READONLY. */
export function removeAutostart(profileFolder: string, file = autostartFile()): void {
  if (!readLines(file).includes(profileLine(profileFolder))) return;
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
}

function profileLine(profileFolder: string): string {
  return `X-Postern-Profile=${asValue(profileFolder)}`;
}

function readLines(file: string): readonly string[] {
  try {
    return readPlainFileSync(file, { limit: fileBytes.settings, follow: true })?.toString('utf8').split('\n') ?? [];
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

/** "The Exec key": quoted, with `%` doubled. */
function asArgument(word: string): string {
  return `"${word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

/** "Possible value types": escapes in a string value. */
function asValue(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
}

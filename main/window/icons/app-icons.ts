// The icon that the operating system has for an AI app.

import path from 'node:path';
import { appIconBytes } from '../../../shared/bounds.ts';
import type { App, HostEnvironment } from '../../apps/table/app.ts';
import { expandPath } from '../../apps/table/app.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { readPictureSize } from '../views/media-header.ts';

/** Bytes of a file that names or contains an icon, entries of an icon file, and pixels per side. */
const bounds = { description: 262_144, container: 4_194_304, entries: 64, side: 1_024 } as const;

/** Pixels per side of the largest tile on a high-DPI screen. */
const displaySide = 80;

/** Sizes of the icon theme, best first. */
const themeSizes = [96, 128, 256, 512, 1_024, 64, 48, 32] as const;

/**
 * A PNG; `undefined` if none is found. Never rejects. It is not decoded here: its size is checked by its header, and the
 * window decodes it in its sandbox. No SVG, which can contain scripts.
 */
export async function readAppIcon(
  { program }: Pick<App, 'program'>,
  host: HostEnvironment,
  iconOfProgram: DesktopShell['iconOfProgram'],
): Promise<Buffer | undefined> {
  if (!program) return undefined;
  switch (host.system) {
    case 'linux':
      return await readThemeIcon(program.desktopFiles, host);
    case 'darwin':
      return program.bundle === undefined ? undefined : await readBundleIcon(program.bundle, host);
    case 'win32':
      return await firstFound(program.executables, async (template) => {
        const icon = await iconOfProgram(expandPath(template, host)).catch(() => undefined);
        return icon && usablePng(icon);
      });
  }
}

/** By the app's desktop files (Desktop Entry Specification), in the default theme (Icon Theme Specification). */
async function readThemeIcon(ids: readonly string[], host: HostEnvironment): Promise<Buffer | undefined> {
  const folders = dataFolders(host);
  for (const id of ids) {
    const entry = await firstFound(folders, (folder) =>
      readText(path.posix.join(folder, 'applications', `${id}.desktop`)),
    );
    const name = entry === undefined ? undefined : iconName(entry);
    const icon = name === undefined ? undefined : await readNamedIcon(name, folders);
    if (icon) return icon;
  }
  return undefined;
}

/** Including those where Flatpak and Snap export their apps, whether or not the session's environment names them. */
function dataFolders({ home, variable }: HostEnvironment): readonly string[] {
  const own = variable('XDG_DATA_HOME') ?? '';
  const shared = (variable('XDG_DATA_DIRS') ?? '').split(':').filter(Boolean);
  const folders = [
    own === '' ? path.posix.join(home, '.local/share') : own,
    ...(shared.length > 0 ? shared.slice(0, bounds.entries) : ['/usr/local/share', '/usr/share']),
    path.posix.join(home, '.local/share/flatpak/exports/share'),
    '/var/lib/flatpak/exports/share',
    '/var/lib/snapd/desktop',
  ];
  // Ignore relative values (XDG Base Directory Specification).
  return [...new Set(folders.filter((folder) => path.posix.isAbsolute(folder)))];
}

/** `Icon` of the group `Desktop Entry`. */
function iconName(entry: string): string | undefined {
  const [, group = ''] = /(?:^|\n)\[Desktop Entry\][^\n]*\n([\s\S]*?)(?:\n\[|$)/u.exec(entry) ?? [];
  return /^Icon[ \t]*=[ \t]*([^\0\r\n]{1,1000}?)[ \t\r]*$/mu.exec(group)?.[1];
}

/** A file by its absolute path, or the icon of this name. */
async function readNamedIcon(name: string, folders: readonly string[]): Promise<Buffer | undefined> {
  if (path.posix.isAbsolute(name)) return await readPng(name);
  // Many entries have the extension, although the specification forbids it.
  const file = `${name.replace(/\.png$/u, '')}.png`;
  if (file.includes('/')) return undefined;
  const places = [
    ...themeSizes.map((size) => path.posix.join('icons/hicolor', `${size}x${size}`, 'apps')),
    // Where electron-builder puts an icon whose size it does not find out.
    'icons/hicolor/0x0/apps',
    'pixmaps',
  ];
  return await firstFound(folders, (folder) =>
    firstFound(places, (place) => readPng(path.posix.join(folder, place, file))),
  );
}

/**
 * From the app's bundle: for one, Electron's `getFileIcon` returns the same generic icon whatever the app
 * (electron/electron#48233).
 */
async function readBundleIcon(bundle: string, { home }: HostEnvironment): Promise<Buffer | undefined> {
  return await firstFound(['/Applications', path.posix.join(home, 'Applications')], async (folder) => {
    const contents = path.posix.join(folder, `${bundle}.app`, 'Contents');
    const properties = await readText(path.posix.join(contents, 'Info.plist'));
    const [, name] =
      /<key>CFBundleIconFile<\/key>\s*<string>([^<>/\\\0]{1,200})<\/string>/u.exec(properties ?? '') ?? [];
    if (name === undefined) return undefined;
    const file = path.posix.join(contents, 'Resources', path.posix.extname(name) === '' ? `${name}.icns` : name);
    const container = await readFile(file, bounds.container);
    return container && bestOf(container);
  });
}

/**
 * The most suitable PNG of an `.icns` file: after eight bytes of header, entries of a type (four bytes), a length that
 * includes these eight bytes, and the data. Older entries, which are no PNG, are skipped.
 */
function bestOf(container: Buffer): Buffer | undefined {
  if (container.toString('latin1', 0, 4) !== 'icns') return undefined;
  const pictures: { readonly side: number; readonly png: Buffer }[] = [];
  for (let at = 8, count = 0; at + 8 <= container.length && count < bounds.entries; count += 1) {
    const length = container.readUInt32BE(at + 4);
    if (length < 8) break;
    const png = usablePng(container.subarray(at + 8, at + length));
    if (png) pictures.push({ side: readPictureSize(png)?.width ?? 0, png });
    at += length;
  }
  const rank = (side: number): number => (side >= displaySide ? side : 10_000 - side);
  return pictures.toSorted((left, right) => rank(left.side) - rank(right.side))[0]?.png;
}

async function readPng(file: string): Promise<Buffer | undefined> {
  const bytes = await readFile(file, appIconBytes);
  return bytes && usablePng(bytes);
}

function usablePng(bytes: Buffer): Buffer | undefined {
  const size = bytes.length <= appIconBytes ? readPictureSize(bytes) : undefined;
  return size?.type === 'image/png' && Math.max(size.width, size.height) <= bounds.side ? bytes : undefined;
}

async function readText(file: string): Promise<string | undefined> {
  return (await readFile(file, bounds.description))?.toString('utf8');
}

/** Follows links, as packages use them. `undefined`: missing, unreadable, too large, or no regular file. */
async function readFile(file: string, limit: number): Promise<Buffer | undefined> {
  return await readPlainFile(file, { limit, follow: true }).catch(() => undefined);
}

async function firstFound<From, Found>(
  places: readonly From[],
  find: (place: From) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const place of places) {
    const found = await find(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

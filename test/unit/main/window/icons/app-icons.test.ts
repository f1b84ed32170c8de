import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apps } from '../../../../../main/apps/table/apps.ts';
import type { App, System } from '../../../../../main/apps/table/app.ts';
import { readAppIcon } from '../../../../../main/window/icons/app-icons.ts';
import { appIconBytes } from '../../../../../shared/bounds.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const assets = join(import.meta.dirname, '../../../../../assets/icons');
const png = (side: number): Buffer => readFileSync(join(assets, `${side}x${side}.png`));
const cursor: Pick<App, 'program'> = {
  program: {
    desktopFiles: ['cursor', 'cursor_cursor'],
    bundle: 'Cursor',
    executables: ['{LOCALAPPDATA|~/AppData/Local}/Programs/cursor/Cursor.exe', '{PROGRAMFILES|~}/cursor/Cursor.exe'],
  },
};

/** A home folder, and a folder with the data of installed programs. */
function openComputer(system: System = 'linux') {
  const [home, data] = [temporaryFolder(), temporaryFolder()];
  const variables: Record<string, string> = { XDG_DATA_DIRS: data };
  const put = (file: string, content: string | Buffer): string => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    home,
    data,
    variables,
    put,
    entry: (icon: string, { folder = data, id = 'cursor' } = {}) =>
      put(join(folder, 'applications', `${id}.desktop`), `[Desktop Entry]\nName=Cursor\nIcon=${icon}\n`),
    themed: (side: number, content = png(side), { folder = data, name = 'cursor-icon' } = {}) =>
      put(join(folder, 'icons/hicolor', `${side}x${side}`, 'apps', `${name}.png`), content),
    read: (app = cursor, iconOfProgram: (file: string) => Promise<Buffer | undefined> = async () => undefined) =>
      readAppIcon(app, { system, home, variable: (name) => variables[name] }, iconOfProgram),
  };
}

/** A PNG whose header states these sides. */
function ofSides(width: number, height: number): Buffer {
  const picture = Buffer.from(png(16));
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

describe('the icon of an app on Linux', () => {
  it('is the smallest of its theme icons that is large enough', async () => {
    const { entry, themed, read } = openComputer();
    entry('cursor-icon');
    for (const side of [16, 48, 64, 128, 256, 512]) themed(side);
    expect(await read()).toEqual(png(128));
  });

  it('is the largest of its theme icons if all are too small', async () => {
    const { entry, themed, read } = openComputer();
    entry('cursor-icon.png');
    for (const side of [32, 48]) themed(side);
    expect(await read()).toEqual(png(48));
  });

  it('is the file that its desktop file names', async () => {
    const { entry, put, home, read } = openComputer();
    entry(put(join(home, 'Apps/cursor icon.png'), png(64)));
    expect(await read()).toEqual(png(64));
  });

  it('is found through links, as Flatpak exports its apps', async () => {
    const { home, data, entry, themed, read } = openComputer();
    const exported = join(home, '.local/share/flatpak/exports');
    mkdirSync(exported, { recursive: true });
    const folder = join(data, 'app');
    entry('cursor-icon', { folder });
    themed(128, png(128), { folder });
    symlinkSync(folder, join(exported, 'share'));
    expect(await read()).toEqual(png(128));
  });

  it('is the one of the user before the one of the computer, and of the next ID if the first has none', async () => {
    const { home, variables, data, entry, themed, put, read } = openComputer();
    entry('missing');
    entry('cursor-icon', { id: 'cursor_cursor' });
    put(join(data, 'pixmaps/cursor-icon.png'), png(256));
    expect(await read()).toEqual(png(256));
    themed(64, png(64), { folder: join(home, '.local/share') });
    expect(await read()).toEqual(png(64));
    variables['XDG_DATA_HOME'] = temporaryFolder();
    expect(await read()).toEqual(png(256));
  });

  it('takes the icon of the entry itself, not of its actions', async () => {
    const { data, put, themed, read } = openComputer();
    const entry =
      '[Desktop Action new]\nIcon=other\n\n[Desktop Entry]\nIcon=cursor-icon\n\n[Desktop Action]\nIcon=other';
    put(join(data, 'applications/cursor.desktop'), entry);
    themed(128, png(128), { name: 'other' });
    themed(64);
    expect(await read()).toEqual(png(64));
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a text', Buffer.from('no picture')],
    ['empty', Buffer.alloc(0)],
    ['cut off in its header', png(64).subarray(0, 20)],
    ['of more bytes than allowed', Buffer.concat([png(64), Buffer.alloc(appIconBytes)])],
    ['of more pixels than allowed', ofSides(60_000, 60_000)],
    ['wider than allowed', ofSides(1_025, 16)],
    ['of no pixels', ofSides(0, 16)],
  ])('is not a file that is %s', async (_what, content) => {
    const { entry, themed, read } = openComputer();
    entry('cursor-icon');
    themed(128, content);
    expect(await read()).toBeUndefined();
    themed(64);
    expect(await read()).toEqual(png(64));
  });

  it.each(['../../../secret', 'folder/icon', '/', '/dev/zero', '/proc/self/mem', '', ' '])(
    'is none if its desktop file names "%s"',
    async (icon) => {
      const { data, put, entry, read } = openComputer();
      put(join(data, 'secret.png'), png(64));
      put(join(data, 'pixmaps/folder/icon.png'), png(64));
      entry(icon);
      expect(await read()).toBeUndefined();
    },
  );

  it('is none if a folder, an endless file or a huge file is in the place of its desktop file', async () => {
    const { data, put, themed, read } = openComputer();
    themed(64);
    mkdirSync(join(data, 'applications'), { recursive: true });
    symlinkSync('/dev/zero', join(data, 'applications/cursor.desktop'));
    put(
      join(data, 'applications/cursor_cursor.desktop'),
      `[Desktop Entry]\n${'#\n'.repeat(200_000)}Icon=cursor-icon\n`,
    );
    expect(await read()).toBeUndefined();
  });

  it('is searched in the usual folders if the environment names relative ones', async () => {
    const { variables, home, entry, themed, read } = openComputer();
    Object.assign(variables, { XDG_DATA_DIRS: '.:share', XDG_DATA_HOME: '' });
    const folder = join(home, '.local/share');
    entry('cursor-icon', { folder });
    themed(64, png(64), { folder });
    expect(await read()).toEqual(png(64));
  });
});

describe('the icon of an app on macOS', () => {
  const container = (...entries: readonly (readonly [type: string, data: Buffer])[]): Buffer => {
    const parts = entries.map(([type, data]) => {
      const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
      head.writeUInt32BE(data.length + 8, 4);
      return Buffer.concat([head, data]);
    });
    return Buffer.concat([Buffer.from('icns\0\0\0\0', 'latin1'), ...parts]);
  };
  const install = (name: string, file: string, content: Buffer) => {
    const computer = openComputer('darwin');
    const contents = join(computer.home, 'Applications/Cursor.app/Contents');
    const properties = `<plist><dict><key>CFBundleIconFile</key>\n\t<string>${name}</string></dict></plist>`;
    computer.put(join(contents, 'Info.plist'), properties);
    computer.put(join(contents, 'Resources', file), content);
    return computer;
  };

  it.each(['Cursor', 'Cursor.icns'])('is in the file that its bundle names "%s"', async (name) => {
    const content = container(['TOC ', Buffer.alloc(16)], ['ic09', png(512)], ['ic07', png(128)], ['icp4', png(16)]);
    expect(await install(name, 'Cursor.icns', content).read()).toEqual(png(128));
  });

  it.each([
    ['that only has older formats', container(['it32', Buffer.alloc(100)])],
    ['whose first entry has no length', Buffer.from('icnsxxxxic07\0\0\0\0', 'latin1')],
    ['that ends within an entry', container(['ic07', png(128)]).subarray(0, 30)],
    ['of another type', png(128)],
    ['that is too large', container(['free', Buffer.alloc(5_000_000)], ['ic07', png(128)])],
  ])('is none for an icon file %s', async (_what, content) => {
    expect(await install('Cursor', 'Cursor.icns', content).read()).toBeUndefined();
  });

  it('is none if the name of the file leaves the bundle', async () => {
    const { home, put, read } = install('../../../secret', 'Cursor.icns', container(['ic07', png(128)]));
    put(join(home, 'Applications/secret.icns'), container(['ic07', png(128)]));
    expect(await read()).toBeUndefined();
  });
});

describe('the icon of an app on Windows', () => {
  it('is the one of its executable, wherever it is installed', async () => {
    const { variables, read } = openComputer('win32');
    Object.assign(variables, { LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local', PROGRAMFILES: 'C:\\Program Files' });
    const asked: string[] = [];
    const icon = await read(cursor, async (file) => {
      asked.push(file);
      if (file.startsWith('C:\\Users')) throw new Error('no icon');
      return png(48);
    });
    expect(icon).toEqual(png(48));
    expect(asked).toEqual([
      'C:\\Users\\Ada\\AppData\\Local\\Programs\\cursor\\Cursor.exe',
      'C:\\Program Files\\cursor\\Cursor.exe',
    ]);
  });
});

it('has none for an app without a program of its own', async () => {
  const app = apps.find(({ id }) => id === 'windsurf-jetbrains');
  const { put, data, themed, read } = openComputer();
  put(join(data, 'applications/windsurf.desktop'), '[Desktop Entry]\nIcon=cursor-icon\n');
  themed(64);
  expect(app).toBeDefined();
  expect(await read(app)).toBeUndefined();
  expect(await read(apps.find(({ id }) => id === 'windsurf'))).toEqual(png(64));
});

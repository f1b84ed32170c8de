import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  autostartFile,
  autostartText,
  removeAutostart,
  isAutostarted,
  writeAutostart,
} from '../../../../../main/storage/profile/autostart.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const profileFolder = '/home/ada/.config/Postern';
const command = ['/opt/Postern/postern', '--background'];
const newFile = (): string => path.join(temporaryFolder(), 'not yet', 'autostart', 'postern.desktop');

/** The arguments that a desktop would start: unescapes the string, then the arguments (Desktop Entry Specification). */
function readExec(text: string): string[] {
  const [, written = ''] = /^Exec=(.*)$/mu.exec(text) ?? [];
  const value = written.replaceAll(/\\(.)/gu, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter);
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/gsu, '$1').replaceAll('%%', '%'),
  );
}

describe('autostartText', () => {
  it.each([
    [['/opt/Postern/postern', '--background']],
    [['/home/ada/My Apps/Postern $HOME `id` "x" 100%f \\.AppImage', '--background']],
    [['/usr/bin/env', 'POSTERN_HOME=/a\nExec=evil', '/opt/Postern/postern', '--background']],
  ])('starts %j, whatever characters it contains', (words) => {
    const text = autostartText({ profileFolder, command: words });
    expect(readExec(text)).toEqual(words);
    expect(text.match(/^Exec=/gmu)).toHaveLength(1);
  });
});

describe('the autostart entry', () => {
  it('is created with its folder, is on, and is removed', () => {
    const file = newFile();
    expect(isAutostarted(profileFolder, file)).toBe(false);
    writeAutostart({ profileFolder, command }, file);
    expect(isAutostarted(profileFolder, file)).toBe(true);
    removeAutostart(profileFolder, file);
    expect(existsSync(file)).toBe(false);
    removeAutostart(profileFolder, file);
  });

  it('is updated if the executable moved', () => {
    const file = newFile();
    writeAutostart({ profileFolder, command }, file);
    const moved = ['/elsewhere/postern', '--background'];
    writeAutostart({ profileFolder, command: moved }, file);
    expect(readExec(readFileSync(file, 'utf8'))).toEqual(moved);
  });

  it('of another profile does not count and is not removed', () => {
    const file = newFile();
    writeAutostart({ profileFolder, command }, file);
    expect(isAutostarted('/home/ada/other', file)).toBe(false);
    removeAutostart('/home/ada/other', file);
    expect(existsSync(file)).toBe(true);
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('is off if the desktop set %s', (line) => {
    const file = newFile();
    writeAutostart({ profileFolder, command }, file);
    writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n`);
    expect(isAutostarted(profileFolder, file)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'does not block if it is a named pipe',
    () => {
      const file = path.join(temporaryFolder(), 'postern.desktop');
      expect(spawnSync('mkfifo', [file]).status).toBe(0);
      const module = path.join(import.meta.dirname, '../../../../../main/storage/profile/autostart.ts');
      const script = [
        `import { isAutostarted, writeAutostart } from ${JSON.stringify(module)};`,
        `const file = ${JSON.stringify(file)};`,
        `console.log(isAutostarted('/profile', file));`,
        `try { writeAutostart({ profileFolder: '/profile', command: ['x'] }, file); } catch ({ code }) { console.log(code); }`,
      ];
      const words = ['--input-type=module', '-e', script.join('\n')];
      const { stdout } = spawnSync(process.execPath, words, { timeout: 60_000, encoding: 'utf8' });
      expect(stdout).toBe('false\nCFG_READONLY\n');
    },
    90_000,
  );

  it('is in the folder that desktops read', () => {
    expect(autostartFile({ XDG_CONFIG_HOME: '/c' })).toBe('/c/autostart/postern.desktop');
    expect(autostartFile({})).toMatch(/\/\.config\/autostart\/postern\.desktop$/u);
  });
});

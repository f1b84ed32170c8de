import { describe, expect, it } from 'vitest';
import { npmCommand } from '../../../../../main/cli/output/describe-remedy.ts';

describe('npmCommand', () => {
  it.each([
    ['/usr/local/lib/node_modules/postern/dist/cli', '/usr/local'],
    ['/home/a b/.local/lib/node_modules/postern/dist/cli', '"/home/a b/.local"'],
    ['/home/ada/.nvm/versions/node/v24.1.0/lib/node_modules/postern/dist/cli', '/home/ada/.nvm/versions/node/v24.1.0'],
    [
      String.raw`C:\Users\ada\AppData\Roaming\npm\node_modules\postern\dist\cli`,
      String.raw`C:\Users\ada\AppData\Roaming\npm`,
    ],
  ])('puts the library where the program in %s finds it', (folder, prefix) => {
    expect(npmCommand('install', folder)).toBe(`npm install --global --prefix ${prefix} keytar`);
    expect(npmCommand('rebuild', folder)).toBe(`npm rebuild --global --prefix ${prefix} keytar`);
  });

  it('has none for an installed window, which brought its own', () => {
    expect(npmCommand('install', '/opt/Postern/resources/app.asar/dist/cli')).toBeUndefined();
  });

  it('takes what the source itself names, in its own folder', () => {
    expect(npmCommand('install', '/home/ada/postern/main/cli/output')).toBe('npm install');
    expect(npmCommand('rebuild', '/home/ada/postern/dist/cli')).toBe('npm rebuild keytar');
  });
});

import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type * as Electron from 'electron';
import { notEmulated } from './not-emulated.ts';

export type PathName = Parameters<Electron.App['getPath']>[0];

const home = homedir();

function appData(): string {
  if (process.platform === 'darwin') return path.join(home, 'Library/Application Support');
  if (process.platform === 'win32') return process.env['APPDATA'] ?? path.join(home, 'AppData/Roaming');
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return configured === '' ? path.join(home, '.config') : configured;
}

/** Electron's paths. `name` is the app's. */
export function defaultPath(which: PathName, name: string, userData: string): string {
  switch (which) {
    case 'home':
      return home;
    case 'appData':
      return appData();
    case 'userData':
    case 'sessionData':
      return which === 'userData' ? path.join(appData(), name) : userData;
    case 'temp':
      return tmpdir();
    case 'exe':
    case 'module':
      return process.execPath;
    case 'logs':
      return process.platform === 'darwin' ? path.join(home, 'Library/Logs', name) : path.join(userData, 'logs');
    case 'crashDumps':
      return path.join(userData, 'Crashpad');
    case 'desktop':
      return path.join(home, 'Desktop');
    case 'documents':
      return path.join(home, 'Documents');
    case 'downloads':
      return path.join(home, 'Downloads');
    default:
      return notEmulated(`app.getPath('${which}')`);
  }
}

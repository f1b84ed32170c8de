import { app } from 'electron';
import { isTranslocated, programFile } from '../../engine/programs/pipe-command.ts';
import { forgetAutostart, isAutostarted, writeAutostart } from '../../storage/profile/autostart.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { backgroundSwitch } from './background-start.ts';

const args = [backgroundSwitch];

/**
 * Start at login, in the background. A program that is not installed would be started from its source, so it offers
 * none. On macOS the words do not come along; what is opened at login knows it by itself.
 */
export function startAtLogin(profileFolder: string): DesktopShell['startAtLogin'] {
  if (process.platform !== 'linux') {
    return {
      available: app.isPackaged && !isTranslocated(),
      isOn: () => app.getLoginItemSettings({ args }).openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
    };
  }
  const home = process.env['POSTERN_HOME'];
  const profile = home ? ['/usr/bin/env', `POSTERN_HOME=${profileFolder}`] : [];
  const command = [...profile, programFile(), backgroundSwitch];
  const set = (on: boolean): void => (on ? writeAutostart({ profileFolder, command }) : forgetAutostart(profileFolder));
  return { available: app.isPackaged, isOn: () => isAutostarted(profileFolder), set };
}

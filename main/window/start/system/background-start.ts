import { app } from 'electron';
import { findPosternLink, isBackgroundLink } from '../../../address/parse-address.ts';
import { isTranslocated, ownExecutable } from '../../../host/apps/pipe-command.ts';
import { startSwitches } from '../../../start-switches.ts';
import { removeAutostart, isAutostarted, writeAutostart } from '../../../storage/profile/autostart.ts';
import type { DesktopShell } from '../../../window-ports.ts';

/** Starts Postern without a window. Used for starting at login. */
export const backgroundSwitch = '--background';

/** Whether these arguments ask for a start without a window. */
export function asksForBackground(argv: readonly string[]): boolean {
  return startSwitches(argv).includes(backgroundSwitch);
}

/** macOS passes no arguments to login items. Call it after `ready`. */
export function wasOpenedByLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

const args = [backgroundSwitch];

/**
 * Starting at login, in the background. Only available for installed packages. macOS passes no arguments, but reports
 * that the app was opened at login.
 */
export function createStartAtLogin(profileFolder: string): DesktopShell['startAtLogin'] {
  if (process.platform !== 'linux') {
    return {
      available: app.isPackaged && !isTranslocated(),
      isOn: () => app.getLoginItemSettings({ args }).openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
    };
  }
  const home = process.env['POSTERN_HOME'];
  const profile = home ? ['/usr/bin/env', `POSTERN_HOME=${profileFolder}`] : [];
  const command = [...profile, ownExecutable(), backgroundSwitch];
  const set = (on: boolean): void => (on ? writeAutostart({ profileFolder, command }) : removeAutostart(profileFolder));
  return { available: app.isPackaged, isOn: () => isAutostarted(profileFolder), set };
}

interface StartHandlers {
  /** Shows the window. */
  readonly show: () => void;
  /** A link was opened. */
  readonly open: (link: string) => void;
}

/** Second launches and opened links. Create it before `ready`: macOS may deliver a link by then. */
export class LaunchRequests {
  #link: string | undefined;
  #handlers: StartHandlers | undefined;

  /** `words`: the arguments of this process. */
  constructor(argv: readonly string[]) {
    this.#handleLink(argv);
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#handleLink([link]);
    });
    // From a second launch's arguments, only a link and one switch are recognized.
    app.on('second-instance', (_event, launchArguments) => {
      if (!this.#handleLink(launchArguments) && !asksForBackground(launchArguments)) this.#handlers?.show();
    });
  }

  /** Of the links that arrived before, only the newest is opened. */
  handle(handlers: StartHandlers): void {
    this.#handlers = handlers;
    if (this.#link !== undefined) handlers.open(this.#link);
    this.#link = undefined;
  }

  #handleLink(argv: readonly string[]): boolean {
    const link = findPosternLink(argv);
    if (link === undefined) return false;
    if (isBackgroundLink(link)) return true;
    if (this.#handlers) this.#handlers.open(link);
    else this.#link = link;
    return true;
  }
}

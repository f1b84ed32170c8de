import { app } from 'electron';
import { findPosternLink, isBackgroundLink } from '../../../address/parse-address.ts';
import { isTranslocated, programFile } from '../../../host/programs/pipe-command.ts';
import { startSwitches } from '../../../start-switches.ts';
import { forgetAutostart, isAutostarted, writeAutostart } from '../../../storage/profile/autostart.ts';
import type { DesktopShell } from '../../../window-ports.ts';

/** Given by whatever wants the program to serve without a window: the start at login. */
export const backgroundSwitch = '--background';

/** Whether these words ask for a start without a window. */
export function asksForBackground(words: readonly string[]): boolean {
  return startSwitches(words).includes(backgroundSwitch);
}

/** macOS passes no words to what it opens at login. After `ready`. */
export function wasOpenedByLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

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

interface StartHandlers {
  /** Brings the window. */
  readonly show: () => void;
  /** A link was opened, as it was given. */
  readonly open: (link: string) => void;
}

/** Starts while the program runs, and links that people open. To be made before `ready`: macOS may have one by then. */
export class LaterStarts {
  #link: string | undefined;
  #handlers: StartHandlers | undefined;

  /** `words`: what this process was started with. */
  constructor(words: readonly string[]) {
    this.#take(words);
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#take([link]);
    });
    // Of the words of a second start a link and one switch are looked for, and none is used.
    app.on('second-instance', (_event, others) => {
      if (!this.#take(others) && !asksForBackground(others)) this.#handlers?.show();
    });
  }

  /** Of all that came before only the newest link is opened. */
  handle(handlers: StartHandlers): void {
    this.#handlers = handlers;
    if (this.#link !== undefined) handlers.open(this.#link);
    this.#link = undefined;
  }

  #take(words: readonly string[]): boolean {
    const link = findPosternLink(words);
    if (link === undefined) return false;
    if (isBackgroundLink(link)) return true;
    if (this.#handlers) this.#handlers.open(link);
    else this.#link = link;
    return true;
  }
}

import { app } from 'electron';
import { startSwitches } from '../../start-switches.ts';

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

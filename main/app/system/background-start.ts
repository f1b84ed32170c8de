import { app } from 'electron';

/** Given by whatever wants the program to serve without a window: pipes, and the start at login. */
export const backgroundSwitch = '--background';

/** Whether these words ask for a start without a window. */
export function asksForBackground(words: readonly string[]): boolean {
  return words.includes(backgroundSwitch);
}

/** A second start by a person brings the window. Of its words this one alone is looked for, and none is used. */
export function onSecondStart(show: () => void): void {
  app.on('second-instance', (_event, words) => {
    if (!asksForBackground(words)) show();
  });
}

/** macOS passes no words to what it opens at login. After `ready`. */
export function wasOpenedByLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

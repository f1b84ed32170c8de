import { app } from 'electron';
import { keepSearchFolders } from './find-program.ts';
import { commandWords, removeForeignAppImage, removeIgnoredVariables } from './start-switches.ts';

/** First words of commands, which the build puts here: the table of commands stays out of the window. */
declare const commandFirstWords: readonly string[];

/** Switches by which another program could look into this one, or run its own code in it. */
const switches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/**
 * Whether an installed program was started to be debugged: it does not start then (Electron's security list, fuses).
 */
function isStartedForDebugging(): boolean {
  return app.isPackaged && switches.some((name) => app.commandLine.hasSwitch(name));
}

// Electron waits for this module before it is `ready`, so nothing here may wait for that.
// Electron and the updater start openers and installers by their names.
keepSearchFolders(process.env, process.platform);
removeForeignAppImage(process.env, process.resourcesPath);
const words = commandWords(process.argv.slice(app.isPackaged ? 1 : 2), commandFirstWords);
if (isStartedForDebugging()) {
  app.exit(1);
} else if (words) {
  const { startCommand } = await import('./command.ts');
  await startCommand(words);
} else {
  // Before Chromium starts its network process, which would write keys down.
  removeIgnoredVariables(process.env);
  const { startWindow } = await import('./window/start/start-window.ts');
  await startWindow({ loadCommands: () => import('./command.ts') });
}

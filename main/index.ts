import { app } from 'electron';
import { commandWords } from './app/command-words.ts';
import { isStartedForDebugging } from './app/refused-switches.ts';
import { removeIgnoredVariables } from './user-agent/http/ignored-variables.ts';
import { keepSearchFolders } from './user-agent/browser/search-path.ts';

// Electron waits for this module before it is `ready`, so nothing here may wait for that.
// Electron and the updater start openers and installers by their names.
keepSearchFolders(process.env, process.platform);
const words = commandWords(process.argv.slice(app.isPackaged ? 1 : 2));
if (isStartedForDebugging()) {
  app.exit(1);
} else if (words) {
  const { runCommand } = await import('./app/run-command.ts');
  runCommand(words);
} else {
  // Before Chromium starts its network process, which would write keys down.
  removeIgnoredVariables(process.env);
  const { startWindow } = await import('./app/start-window.ts');
  await startWindow();
}

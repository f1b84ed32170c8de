import { app } from 'electron';
import { isStartedForDebugging } from './app/refused-switches.ts';
import { commandWords } from './cli/command-words.ts';
import { removeIgnoredVariables } from './user-agent/http/ignored-variables.ts';
import { keepSearchFolders } from './user-agent/browser/search-path.ts';

// Electron waits for this module before it is `ready`, so nothing here may wait for that.
// Electron and the updater start openers and installers by their names.
keepSearchFolders(process.env, process.platform);
const words = commandWords(process.argv.slice(app.isPackaged ? 1 : 2));
if (isStartedForDebugging()) {
  app.exit(1);
} else if (words) {
  const [{ runCommand }, { runProcess }] = await Promise.all([
    import('./app/run-command.ts'),
    import('./cli/run-process.ts'),
  ]);
  runCommand((installation) => runProcess({ argv: words, installation, exit: (code) => app.exit(code) }));
} else {
  // Before Chromium starts its network process, which would write keys down.
  removeIgnoredVariables(process.env);
  const { startWindow } = await import('./app/start-window.ts');
  await startWindow();
}

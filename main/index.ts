import { app } from 'electron';
import { restrictSearchPath } from './find-executable.ts';
import { commandWords, removeForeignAppImage, removeIgnoredVariables } from './start-switches.ts';

/** First words of all commands. Inlined by the build, so that the window does not load the command table. */
declare const commandFirstWords: readonly string[];

/** Switches with which another program could inspect this process or run code in it. */
const debuggingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/** True if a packaged app was started with debugging switches. It then refuses to start (Electron security, fuses). */
function isStartedForDebugging(): boolean {
  return app.isPackaged && debuggingSwitches.some((name) => app.commandLine.hasSwitch(name));
}

// Electron waits for this module before it is `ready`, so nothing here may wait for `ready`.
// PATH is restricted because Electron and the updater start openers and installers by name.
restrictSearchPath(process.env, process.platform);
removeForeignAppImage(process.env, process.resourcesPath);
const words = commandWords(process.argv.slice(app.isPackaged ? 1 : 2), commandFirstWords);
if (isStartedForDebugging()) {
  app.exit(1);
} else if (words) {
  const { startCommand } = await import('./command.ts');
  await startCommand(words);
} else {
  // Before Chromium starts its network process, which would log TLS keys (SSLKEYLOGFILE).
  removeIgnoredVariables(process.env);
  const { startWindow } = await import('./window/start/start-window.ts');
  await startWindow({ loadCommands: () => import('./command.ts') });
}

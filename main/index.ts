import { app } from 'electron';
import { commandWords } from './app/command-words.ts';

// Electron waits for this module before it is `ready`, so nothing here may wait for that.
const words = commandWords(process.argv.slice(app.isPackaged ? 1 : 2));
if (words) {
  const { runCommand } = await import('./app/run-command.ts');
  runCommand(words);
} else {
  const { startWindow } = await import('./app/start-window.ts');
  await startWindow();
}

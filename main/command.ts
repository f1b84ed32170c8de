import { app } from 'electron';
import type { CommandServer } from './cli/command-context.ts';
import type { Installation } from './host/installation.ts';
import { runCommand } from './window/start/run-command.ts';

/** Runs Electron as the command `postern`. Await it before `ready`. Bundled separately (`scripts/build-window.ts`). */
export async function startCommand(words: readonly string[]): Promise<void> {
  const { runOrDelegate } = await import('./cli/start/run-or-delegate.ts');
  runCommand((installation) => runOrDelegate(words, installation, (code) => app.exit(code)));
}

/** Lets the window run commands that were typed in a terminal. */
export async function serveCommands(installation: Installation): Promise<CommandServer> {
  await import('./cli/start/configure-zod.ts');
  return (await import('./cli/start/serve-commands.ts')).serveCommandsStandalone(installation);
}

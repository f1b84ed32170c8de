import { app } from 'electron';
import type { ServedCommands } from './cli/command-context.ts';
import type { Installation } from './host/installation.ts';
import { runCommand } from './window/start/run-command.ts';

/** The program as the command `postern`, to be awaited before `ready`. A bundle of its own (`scripts/build-window.ts`). */
export async function startCommand(words: readonly string[]): Promise<void> {
  const { runAnywhere } = await import('./cli/start/asked-elsewhere.ts');
  runCommand((installation) => runAnywhere(words, installation, (code) => app.exit(code)));
}

/** For a window that runs commands which were typed elsewhere. */
export async function serveCommands(installation: Installation): Promise<ServedCommands> {
  await import('./cli/start/interpret-schemas.ts');
  return (await import('./cli/start/serve-commands.ts')).serveCommandsAlone(installation);
}

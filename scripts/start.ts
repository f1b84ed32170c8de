// What `npm start` shows: the window, or the main job on the command line, with the demo servers. scripts/start.sh has
// prepared the machine and built.
import { runWithPrivateKeychain, wantsPrivateKeychain } from '../test/demo/private-keychain.ts';
import { showMainJob } from '../test/demo/show-main-job.ts';
import { showWindowWithDemo } from '../test/demo/show-window-with-demo.ts';
import { parseStartArguments, startHelp } from '../test/demo/start-arguments.ts';
import type { StartArguments } from '../test/demo/start-arguments.ts';

process.exitCode = await start(process.argv.slice(2));

async function start(values: readonly string[]): Promise<number> {
  let options: StartArguments;
  try {
    options = parseStartArguments(values);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${startHelp}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(startHelp);
    return 0;
  }
  if (await wantsPrivateKeychain(process.env)) {
    process.stdout.write('This machine has no keychain, so this run uses a private one. Nothing in it is saved.\n');
    return runWithPrivateKeychain();
  }
  return options.window ? showWindowWithDemo(options) : showMainJob(options);
}

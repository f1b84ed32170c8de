import { channelOf, findCheckout } from '../host/installation.ts';
import { readVersion } from './output/version.ts';
import { wakeKeychain } from './start/wake-keychain.ts';

void runCommand(process.argv.slice(2));

async function runCommand(argv: readonly string[]): Promise<void> {
  const checkout = findCheckout();
  // Installed by npm it is a released version like any other: it reads the sign-ins that the window keeps.
  const channel = checkout === undefined ? channelOf({ packaged: true, version: readVersion() }) : 'dev';
  const installation = { packaged: false, channel } as const;
  const keychains = await wakeKeychain(argv, installation);
  const { runProcess } = await import('./start/run-process.ts');
  await runProcess({ argv, installation, keychains, exit: (code) => process.exit(code) });
}

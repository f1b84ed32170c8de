import { channelOf, findCheckout } from '../host/installation.ts';
import { readVersion } from './output/version.ts';
import { askElsewhere } from './start/asked-elsewhere.ts';

void runCommand(process.argv.slice(2));

async function runCommand(argv: readonly string[]): Promise<void> {
  const checkout = findCheckout();
  const version = readVersion();
  // Installed by npm it is a released version like any other: it reads the sign-ins that the window keeps.
  const channel = checkout === undefined ? channelOf({ packaged: true, version }) : 'dev';
  const installation = { packaged: false, channel } as const;
  const asked = await askElsewhere(argv, installation, version);
  if (asked.kind === 'ended') return process.exit(asked.code);
  const { wakeKeychain } = await import('./start/wake-keychain.ts');
  const keychains = asked.kind === 'not-run' ? await wakeKeychain(argv, installation) : undefined;
  const { runProcess } = await import('./start/run-process.ts');
  await runProcess({
    ...{ argv, installation, keychains, exit: (code: number) => process.exit(code) },
    isLost: asked.kind === 'lost',
  });
}

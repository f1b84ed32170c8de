import { homedir } from 'node:os';
import { keychainService } from '../../main/storage/keychain/keychain-service.ts';
import { createKeychain } from '../../main/storage/keychain/keytar-keychain.ts';
import { makeProfileFolder } from '../../main/storage/profile/profile-folder.ts';
import { peekKeyAccount } from '../../main/storage/profile/profile-path.ts';

/**
 * `engine-app.ts CHILD URL [stored]`: Postern's engine as the command line composes it, without the command line. CHILD
 * is the built keychain child, which starts before the rest is loaded, as in the command line. Prints the milliseconds
 * from after its imports to the tool list.
 */
async function main(): Promise<void> {
  const [, , childPath = '', url = '', mode] = process.argv;
  const folder = makeProfileFolder({ env: process.env, platform: process.platform, home: homedir() });
  const keychain = createKeychain({ service: keychainService('dev'), childPath });
  keychain.prepare(mode === 'stored' ? peekKeyAccount(folder, 'Bench') : undefined);
  // As the command line does.
  await import('../../main/cli/start/configure-zod.ts');
  const { runEngine } = await import('./run-engine.ts');
  const start = performance.now();
  const tools = await runEngine(folder, keychain, url, mode === 'stored');
  // Builds made like the product have a silent console.
  process.stdout.write(`${JSON.stringify({ milliseconds: performance.now() - start, tools })}\n`);
  process.exit();
}

void main();

import { showWindow } from '../../scripts/window.ts';
import { endWithOuterProcess, hasPrivateKeychain, withDisplay } from './private-keychain.ts';
import type { StartArguments } from './start-arguments.ts';
import { startDemo } from './start-demo.ts';

/**
 * Starts the demo servers and shows the window, which suggests them first. Returns its exit code.
 */
export async function showWindowWithDemo({ mode, authPort, mcpPort, smoke }: StartArguments): Promise<number> {
  if (hasPrivateKeychain(process.env)) endWithOuterProcess();
  print('Starting a demo server on this computer.');
  const demo = await startDemo({ mode, authPort, mcpPort, signedIn: true });
  try {
    for (const { requested, used } of demo.movedPorts) print(`Port ${requested} is taken, so ${used} is used.`);
    print(`  MCP server   ${demo.url}`);
    if (demo.issuer !== undefined)
      print(
        `  sign-in      ${demo.issuer}   (signed in as demo; another account can be ada or grace, with any password)`,
      );
    if (demo.typedClient) print(`  client id    ${demo.typedClient.id}\n  secret       ${demo.typedClient.secret}`);
    return await showWindow({ smoke, env: { ...withDisplay(process.env), POSTERN_DEMO_URL: demo.url } });
  } finally {
    await demo.close();
    print('The demo server has stopped.');
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

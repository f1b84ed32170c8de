import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  endWithOuterProcess,
  hasPrivateKeychain,
  runWithPrivateKeychain,
  wantsPrivateKeychain,
  withDisplay,
} from '../../test/demo/private-keychain.ts';
import { startDemo } from '../../test/demo/start-demo.ts';
import { showDevelopmentWindow } from './development-window.ts';
import { startRendererServer } from './renderer-server.ts';

/** `npm run dev`: the window with hot reload, and a page that shows its every state. */
const help = `npm run dev [-- OPTIONS]

A change in renderer appears at once. A change in main, preload or shared restarts the window.
The profile is .dev/profile, so your own sign-ins are not touched.

  --gallery   only the page with every state of the window, in any browser
  --port N    its port   (5199, or another one if that is taken)
  --help      this text
`;

const { values } = parseArgs({
  options: { gallery: { type: 'boolean' }, port: { type: 'string' }, help: { type: 'boolean' } },
});

process.exitCode =
  values.help === true ? say(help) : await start(values.gallery === true, Number(values.port ?? 5_199));

async function start(galleryOnly: boolean, port: number): Promise<number> {
  if (!galleryOnly && (await wantsPrivateKeychain(process.env))) return await runWithPrivateKeychain();
  if (hasPrivateKeychain(process.env)) endWithOuterProcess();
  const server = await startRendererServer(port);
  say(`Every state of the window: ${server.origin}/gallery\n`);
  try {
    if (!galleryOnly) return await showWindow(server.origin);
    await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    return 0;
  } finally {
    await server.close();
  }
}

async function showWindow(rendererOrigin: string): Promise<number> {
  const demo = await startDemo();
  say(`Demo server:               ${demo.url}\n`);
  const env = { ...withDisplay(process.env), POSTERN_DEMO_URL: demo.url };
  try {
    // A private keychain already has a throwaway profile.
    return await showDevelopmentWindow(rendererOrigin, hasPrivateKeychain(env) ? env : { ...env, ...ownProfile() });
  } finally {
    await demo.close();
  }
}

function ownProfile(): { readonly POSTERN_HOME: string } {
  const folder = path.join(import.meta.dirname, '../../.dev/profile');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { POSTERN_HOME: folder };
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

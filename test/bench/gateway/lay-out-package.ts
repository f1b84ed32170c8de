import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildProgram } from '../../real-electron/build-program.ts';
import { obtainElectron } from '../../real-electron/obtain-electron.ts';
import { NoPackage } from '../../support/fetch-package.ts';
import { commands } from './served-profile.ts';

const shim = path.join(import.meta.dirname, '../../real-electron/older-node.js');

/**
 * Lays out Postern as in a Linux package, with the tests' Electron. Returns the pipe in it, which starts Postern;
 * `undefined` if there is no Electron for this computer.
 */
export async function layOutPackage(folder: string): Promise<string | undefined> {
  const found = await obtainElectron().catch((error: unknown) => {
    if (error instanceof NoPackage) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  cpSync(path.dirname(found), folder, { recursive: true });
  const app = path.join(folder, 'resources/app');
  await buildProgram(app);
  // Polyfills for its Node must be loaded before Postern.
  copyFileSync(shim, path.join(app, 'older-node.js'));
  const file = path.join(app, 'package.json');
  const { main, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  writeFileSync(path.join(app, 'start.js'), `import './older-node.js';\nawait import('./${main}');\n`);
  writeFileSync(file, JSON.stringify({ ...rest, main: 'start.js' }));
  const bin = path.join(folder, 'resources/bin');
  mkdirSync(bin, { recursive: true });
  const pipe = path.join(bin, 'postern-pipe');
  copyFileSync(commands.native, pipe);
  // Under its own name, Electron uses the sources' keychain, which contains the profile's key.
  writeFileSync(`${pipe}.start`, path.join(folder, 'electron'));
  return pipe;
}

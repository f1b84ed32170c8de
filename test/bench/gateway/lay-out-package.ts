import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildProgram } from '../../real-electron/build-program.ts';
import { obtainElectron } from '../../real-electron/obtain-electron.ts';
import { NoPackage } from '../../support/fetch-package.ts';
import { commands } from './served-profile.ts';

const shim = path.join(import.meta.dirname, '../../real-electron/older-node.js');

/**
 * The program as a package of Linux has it, around the Electron of the tests. Answers the pipe in it, which starts the
 * program; `undefined` where there is no Electron for this computer.
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
  // What its Node lacks has to be there before the program is.
  copyFileSync(shim, path.join(app, 'older-node.js'));
  const file = path.join(app, 'package.json');
  const { main, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  writeFileSync(path.join(app, 'start.js'), `import './older-node.js';\nawait import('./${main}');\n`);
  writeFileSync(file, JSON.stringify({ ...rest, main: 'start.js' }));
  const bin = path.join(folder, 'resources/bin');
  mkdirSync(bin, { recursive: true });
  const pipe = path.join(bin, 'postern-pipe');
  copyFileSync(commands.native, pipe);
  // By its own name Electron has the keychain of the sources, in which the profile's key is.
  writeFileSync(`${pipe}.start`, path.join(folder, 'electron'));
  return pipe;
}

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KnownServer } from '../../../shared/known-servers/known-server.ts';
import { builtApp } from '../../support/launch-window.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files with the catalog: pages and main. */
const readers = ['dist/renderer/assets', 'dist/main'];

/**
 * A copy of built Postern whose catalog has this service at another address, so that a test server can act as it.
 * Everything else about the service stays. Deleted after the test.
 */
export function posternWithServiceAt({ address }: KnownServer, url: string): string {
  const folder = path.join(temporaryFolder(), 'app');
  cpSync(path.join(builtApp, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
  for (const name of ['package.json', 'index.js']) cpSync(path.join(builtApp, name), path.join(folder, name));
  symlinkSync(path.join(builtApp, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  let found = 0;
  for (const reader of readers) {
    for (const name of readdirSync(path.join(folder, reader)).filter((each) => each.endsWith('.js'))) {
      const file = path.join(folder, reader, name);
      const source = readFileSync(file, 'utf8');
      if (!source.includes(address)) continue;
      writeFileSync(file, source.replaceAll(address, url));
      found += 1;
    }
  }
  if (found < readers.length) throw new Error(`the program has no catalog with ${address}`);
  return folder;
}

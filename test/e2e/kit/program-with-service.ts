import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KnownServer } from '../../../shared/known-servers/known-server.ts';
import { builtProgram } from '../../support/launch-window.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What reads the catalogue: pages, and main. */
const readers = ['dist/renderer/assets', 'dist/main'];

/**
 * A copy of the built program in whose catalogue this service is at another address, so that a server of the test can be
 * it. All else that is known of it stays. Gone after the test.
 */
export function programWithServiceAt({ address }: KnownServer, url: string): string {
  const folder = path.join(temporaryFolder(), 'program');
  cpSync(path.join(builtProgram, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
  for (const name of ['package.json', 'index.js']) cpSync(path.join(builtProgram, name), path.join(folder, name));
  symlinkSync(path.join(builtProgram, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
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
  if (found < readers.length) throw new Error(`the program has no catalogue with ${address}`);
  return folder;
}

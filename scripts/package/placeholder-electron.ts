import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import electronDescription from 'electron/package.json' with { type: 'json' };

/**
 * The parts of an Electron folder that electron-builder needs, without Electron: for a dry run where it cannot be
 * downloaded. Its executable does nothing but contain the fuse wire (the sentinel of @electron/fuses, the wire's version,
 * its length, and the fuses as Electron ships them), so that setting and reading fuses can be tested.
 */
export function writePlaceholderElectron(folder: string): void {
  mkdirSync(path.join(folder, 'resources'), { recursive: true });
  const wire = '\u0001\u000810110001';
  const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
  writeFileSync(path.join(folder, 'electron'), `#!/bin/sh\nexit 0\n${sentinel}${wire}`, { mode: 0o755 });
  writeFileSync(path.join(folder, 'version'), electronDescription.version);
  mkdirSync(path.join(folder, 'locales'));
  for (const language of ['de', 'en-US']) writeFileSync(path.join(folder, 'locales', `${language}.pak`), '');
  writeFileSync(path.join(folder, 'LICENSE'), 'placeholder\n');
  writeFileSync(path.join(folder, 'LICENSES.chromium.html'), 'placeholder\n');
}

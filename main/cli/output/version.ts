import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version from the nearest `package.json` above, because source and bundle are at different depths. */
export function readVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const description: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof description === 'object' && description !== null && 'version' in description) {
      return String(description.version);
    }
  }
  return 'unknown';
}

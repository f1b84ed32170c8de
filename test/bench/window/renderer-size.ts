import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Everything that the window loads, each file compressed by itself; kilobytes of 1,000 bytes. */
export function rendererSize(): number {
  const folder = path.join(import.meta.dirname, '../../../dist/renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  const loaded = files.filter((file) => statSync(file).isFile() && !file.endsWith('.map'));
  return loaded.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0) / 1_000;
}

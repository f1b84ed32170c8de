import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code replacement in the Rust pipe. */
export interface NativeEdit {
  /** A file in `pipe/src/`. */
  readonly in: string;
  /** The code, which must appear exactly once; white space may differ. */
  readonly find: string;
  /** Empty: the code is deleted. */
  readonly replace: string;
}

const pipe = join(import.meta.dirname, '../../pipe');

/** The edited text of the file. Throws if the code does not appear exactly once. */
export function editedNativeSource({ in: name, find, replace }: NativeEdit): string {
  const text = readFileSync(join(pipe, 'src', name), 'utf8');
  const words = find.trim().split(/\s+/u);
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('\\s+'), 'gu');
  const count = text.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`found ${count} times instead of once in pipe/src/${name}: ${find}`);
  return text.replace(pattern, () => replace);
}

/** Copies what cargo needs to build the pipe into `folder`, with the edit applied. */
export function copyNativeSources(folder: string, edit: NativeEdit): void {
  for (const name of ['src', 'environment-allowlist.txt', 'Cargo.toml', 'Cargo.lock'])
    cpSync(join(pipe, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'src', edit.in), editedNativeSource(edit));
}

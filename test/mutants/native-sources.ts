import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code of the pipe in Rust that is exchanged. */
export interface NativeEdit {
  /** In `pipe/src/`. */
  readonly in: string;
  /** The code; any white space stands for any other. It must stand there exactly once. */
  readonly find: string;
  /** What comes in its place. Nothing: it is taken out. */
  readonly replace: string;
}

const pipe = join(import.meta.dirname, '../../pipe');

/** The file with the edit made. Throws when it does not fit. */
export function editedNativeSource({ in: name, find, replace }: NativeEdit): string {
  const text = readFileSync(join(pipe, 'src', name), 'utf8');
  const words = find.trim().split(/\s+/u);
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('\\s+'), 'gu');
  const count = text.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`stands ${count} times, not once, in pipe/src/${name}: ${find}`);
  return text.replace(pattern, () => replace);
}

/** All that cargo builds the pipe from, with the edit made, in `folder`. */
export function copyNativeSources(folder: string, edit: NativeEdit): void {
  for (const name of ['src', 'passed-on.txt', 'Cargo.toml', 'Cargo.lock'])
    cpSync(join(pipe, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'src', edit.in), editedNativeSource(edit));
}

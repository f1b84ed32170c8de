import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { GeneratedMutant } from './operator.ts';

const root = join(import.meta.dirname, '../../..');
const switchModule = join(import.meta.dirname, 'switch.ts');

/** The source with all its mutants, each switched by its ID. */
export function instrument(
  source: string,
  mutants: readonly (readonly [id: number, mutant: GeneratedMutant])[],
): string {
  const edits: { at: number; text: string; skip: number; rank: number; order: number }[] = [];
  for (const [index, [id, { start, end, change }]] of mutants.entries()) {
    const length = end - start;
    const insert = (at: number, text: string): void => {
      // At equal positions, the longer range starts first and the shorter one ends first.
      const isStart = at === start;
      edits.push({ at, text, skip: 0, rank: isStart ? -length : length, order: isStart ? index : -index });
    };
    if (change.kind === 'omit') {
      insert(start, `{if(!$isActive(${id}))`);
      insert(end, '}');
    } else if (change.kind === 'constant') {
      insert(start, `($isActive(${id})?${change.value}:(`);
      insert(end, '))');
    } else {
      insert(start, `$compare(${id},'${change.operator}',((`);
      const skip = change.rightStart - change.leftEnd;
      edits.push({ at: change.leftEnd, text: ')as never),((', skip, rank: 0, order: 0 });
      insert(end, ')as never))');
    }
  }
  // At equal positions, ends come before starts.
  edits.sort(
    (one, other) =>
      one.at - other.at ||
      Number(one.rank < 0) - Number(other.rank < 0) ||
      one.rank - other.rank ||
      one.order - other.order,
  );
  let [text, done] = [`import{isActive as $isActive,compare as $compare}from${JSON.stringify(switchModule)};`, 0];
  for (const edit of edits) {
    text += source.slice(done, edit.at) + edit.text;
    done = edit.at + edit.skip;
  }
  return text + source.slice(done);
}

/** A plugin for Vite builds and for vitest that adds all mutants of the sample to the sources. */
export function instrumentPlugin(mutants: readonly GeneratedMutant[]): Plugin {
  const byFile = new Map<string, (readonly [number, GeneratedMutant])[]>();
  for (const [id, mutant] of mutants.entries()) {
    const file = join(root, mutant.file);
    byFile.set(file, [...(byFile.get(file) ?? []), [id, mutant]]);
  }
  return {
    name: 'postern-generated-mutants',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? id;
      const own = byFile.get(file);
      return own === undefined ? null : instrument(readFileSync(file, 'utf8'), own);
    },
  };
}

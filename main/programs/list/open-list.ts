import type { EntryList } from './entry-list.ts';
import { jsonList } from './json/json-list.ts';
import type { Program } from '../table/program.ts';
import { tomlList } from './toml/toml-list.ts';
import { yamlList } from './yaml/yaml-list.ts';

/** The list of `program`. Its text is spliced: parsers give places and proofs alone. */
export function openList(program: Program): EntryList {
  switch (program.format) {
    case 'json':
    case 'jsonc':
      return jsonList(program);
    case 'toml':
      return tomlList(program.list);
    case 'yaml-map':
    case 'yaml-list':
      return yamlList(program);
  }
}

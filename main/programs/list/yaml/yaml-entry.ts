import type { Entry } from '../entry-list.ts';

interface YamlLayout {
  /** Blanks before it. */
  readonly indentation: string;
  readonly end: string;
}

/** A member of a block map, with its fields below its name. */
export function renderMapMember(name: string, entry: Entry, { indentation, end }: YamlLayout): string {
  const fields = Object.entries(entry).map(([key, value]) => `${indentation}  ${renderField(key, value)}`);
  return [`${indentation}${renderKey(name)}:`, ...fields].map((line) => `${line}${end}`).join('');
}

/** A member of a block list. */
export function renderListMember(entry: Entry, { indentation, end }: YamlLayout): string {
  return Object.entries(entry)
    .map(([key, value], index) => `${indentation}${index === 0 ? '- ' : '  '}${renderField(key, value)}${end}`)
    .join('');
}

/** In a flow collection, in which JSON is YAML. */
export function renderFlowMember(name: string | undefined, entry: Entry): string {
  return name === undefined ? JSON.stringify(entry) : `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
}

function renderField(key: string, value: unknown): string {
  return `${renderKey(key)}: ${JSON.stringify(value)}`;
}

/** A word that is nothing else in any version of YAML stands as it is. */
function renderKey(key: string): string {
  const isWord = /^[a-z][A-Za-z0-9_-]*$/.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(key);
  return isWord ? key : JSON.stringify(key);
}

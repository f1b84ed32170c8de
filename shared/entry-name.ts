/** What an alias may be: it stands in programs' files, in addresses and before names of tools. */
export const aliasPattern = /^[a-z0-9-]{1,24}$/;

const longest = 24;

interface Aliased {
  readonly name: string;
  readonly alias?: string | undefined;
}

/**
 * Gives each one without an alias one that is made from its name, and a second one of the same alias another. An alias
 * that is there stays: programs' files hold it. What has nothing to do is answered as it is.
 */
export function withAliases<Entry extends Aliased>(entries: readonly Entry[]): readonly Entry[] {
  const taken = new Set(entries.map(({ alias }) => alias));
  if (taken.size === entries.length && !taken.has(undefined)) return entries;
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const alias =
      entry.alias === undefined || seen.has(entry.alias) ? firstFree(aliasOf(entry.name), taken, counts) : entry.alias;
    seen.add(alias);
    taken.add(alias);
    return alias === entry.alias ? entry : { ...entry, alias };
  });
}

/** A name in letters, digits and hyphens; `server` where it has none of them. */
export function aliasOf(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return trimmed(letters.replace(/[^a-z0-9]+/g, '-'), longest) || 'server';
}

/** `counts`: where to go on for each base, so that thousands of one name take no time. */
function firstFree(base: string, taken: ReadonlySet<string | undefined>, counts: Map<string, number>): string {
  if (!taken.has(base)) return base;
  for (let count = counts.get(base) ?? 2; ; count += 1) {
    const alias = `${trimmed(base, longest - 1 - String(count).length)}-${count}`;
    counts.set(base, count + 1);
    if (!taken.has(alias)) return alias;
  }
}

function trimmed(text: string, length: number): string {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}

interface Named {
  readonly name: string;
  readonly title?: string | undefined;
}

export const mostCollections = 100;

/** Servers of one collection. */
export const mostMembers = 100;

/** Stands before the name of a collection wherever a server may stand too: in entries, addresses and commands. */
const mark = '+';

/** What stands for it there, and in the rights of programs. */
export function collectionReference({ name }: Pick<Named, 'name'>): string {
  return `${mark}${name}`;
}

/** The name of the collection that `reference` means; `undefined`: it means a server. */
export function collectionNamed(reference: string): string | undefined {
  return reference.startsWith(mark) ? reference.slice(mark.length) : undefined;
}

/** Why a word is no name of a new collection: `letters`; or `hyphen`, since it would read as an option. */
export function collectionNameProblem(name: string): 'letters' | 'hyphen' | undefined {
  if (!aliasPattern.test(name)) return 'letters';
  return name.startsWith('-') ? 'hyphen' : undefined;
}

/** What people call it. */
export function titleOf({ title, name }: Named): string {
  return title ?? name;
}

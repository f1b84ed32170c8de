/** Aliases appear in apps' files, in addresses and before tool names. */
export const aliasPattern = /^[a-z0-9-]{1,24}$/;

const maxLength = 24;

interface Aliased {
  readonly name: string;
  readonly alias?: string | undefined;
}

/**
 * Derives missing aliases from names and renames duplicates. Existing aliases stay, because apps' files contain them.
 * Returns the same list if nothing changes.
 */
export function withAliases<Entry extends Aliased>(entries: readonly Entry[]): readonly Entry[] {
  const usedAliases = new Set(entries.map(({ alias }) => alias));
  if (usedAliases.size === entries.length && !usedAliases.has(undefined)) return entries;
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const alias =
      entry.alias === undefined || seen.has(entry.alias)
        ? firstFree(aliasOf(entry.name), usedAliases, counts)
        : entry.alias;
    seen.add(alias);
    usedAliases.add(alias);
    return alias === entry.alias ? entry : { ...entry, alias };
  });
}

/** The name in letters, digits and hyphens; `server` if nothing is left. */
export function aliasOf(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return trimmed(letters.replace(/[^a-z0-9]+/g, '-'), maxLength) || 'server';
}

/** `counts`: where to continue for each base, so that thousands of equal names stay fast. */
function firstFree(base: string, usedAliases: ReadonlySet<string | undefined>, counts: Map<string, number>): string {
  if (!usedAliases.has(base)) return base;
  for (let count = counts.get(base) ?? 2; ; count += 1) {
    const alias = `${trimmed(base, maxLength - 1 - String(count).length)}-${count}`;
    counts.set(base, count + 1);
    if (!usedAliases.has(alias)) return alias;
  }
}

function trimmed(text: string, length: number): string {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}

interface Named {
  readonly name: string;
  readonly title?: string | undefined;
}

export const maxCollections = 100;

/** Servers in one collection. */
export const maxCollectionMembers = 100;

/** Prefix of a collection's name wherever a server can be named too: in entries, addresses and commands. */
const collectionPrefix = '+';

/** The reference to a collection there and in app records. */
export function collectionReference({ name }: Pick<Named, 'name'>): string {
  return `${collectionPrefix}${name}`;
}

/** The collection's name in `reference`; `undefined` if it names a server. */
export function collectionNameIn(reference: string): string | undefined {
  return reference.startsWith(collectionPrefix) ? reference.slice(collectionPrefix.length) : undefined;
}

/** Why a word can't name a new collection: `letters`, or `hyphen`, because it would look like an option. */
export function collectionNameProblem(name: string): 'letters' | 'hyphen' | undefined {
  if (!aliasPattern.test(name)) return 'letters';
  return name.startsWith('-') ? 'hyphen' : undefined;
}

/** The display name. */
export function titleOf({ title, name }: Named): string {
  return title ?? name;
}

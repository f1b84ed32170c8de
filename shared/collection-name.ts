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

/** What people call it. */
export function titleOf({ title, name }: Named): string {
  return title ?? name;
}

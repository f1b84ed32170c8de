/** Those of whoever has most of them, in their order; where several have as many, of whose came first. */
export function ofWhoHasMost<One>(all: Iterable<One>, whose: (one: One) => string | undefined): readonly One[] {
  let most: readonly One[] = [];
  for (const theirs of Map.groupBy(all, whose).values()) if (theirs.length > most.length) most = theirs;
  return most;
}

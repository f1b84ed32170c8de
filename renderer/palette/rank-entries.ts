export interface RankedEntry {
  readonly label: string;
  /** Other words that match. */
  readonly keywords?: string;
  /** Rarely wanted, so it ranks after equal matches. */
  readonly isLowPriority?: boolean;
}

/** Results to show; a longer query narrows them down. */
const maxResults = 50;

/** Entries that match every word of `query`, best first; ties keep their order. */
export function rankEntries<Entry extends RankedEntry>(entries: readonly Entry[], query: string): readonly Entry[] {
  const terms = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (terms.length === 0) return entries.filter(({ isLowPriority }) => !isLowPriority).slice(0, maxResults);
  return entries
    .flatMap((entry) => {
      const score = scoreEntry(entry, terms);
      return score === 0 ? [] : [{ entry, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}

/** 0: some word does not match. */
function scoreEntry({ label, keywords = '', isLowPriority = false }: RankedEntry, terms: readonly string[]): number {
  const [name, rest] = [label.toLowerCase(), keywords.toLowerCase()];
  let score = isLowPriority ? 0 : 1;
  for (const word of terms) {
    const best = Math.max(2 * scoreWord(name, word), scoreWord(rest, word));
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

/** 4: at the start; 3: at the start of a word; 2: inside; 1: letters in order; 0: no match. */
function scoreWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 2 : 3;
  let from = 0;
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  return 1;
}

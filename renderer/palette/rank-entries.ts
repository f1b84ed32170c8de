export interface Ranked {
  readonly label: string;
  /** Other words that find it. */
  readonly also?: string;
  /** Seldom meant, so it comes after others that fit as well. */
  readonly isLater?: boolean;
}

/** Shown at once: whoever has not found it among them types another letter. */
const most = 50;

/** Those that match every word of `query`, best first; equals keep their order. */
export function rankEntries<Entry extends Ranked>(entries: readonly Entry[], query: string): readonly Entry[] {
  const wanted = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (wanted.length === 0) return entries.filter(({ isLater }) => !isLater).slice(0, most);
  return entries
    .flatMap((entry) => {
      const fit = fitOf(entry, wanted);
      return fit === 0 ? [] : [{ entry, fit }];
    })
    .toSorted((one, other) => other.fit - one.fit)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** 0: one of the words does not fit. */
function fitOf({ label, also = '', isLater = false }: Ranked, wanted: readonly string[]): number {
  const [name, rest] = [label.toLowerCase(), also.toLowerCase()];
  let fit = isLater ? 0 : 1;
  for (const word of wanted) {
    const best = Math.max(2 * fitOfWord(name, word), fitOfWord(rest, word));
    if (best === 0) return 0;
    fit += best;
  }
  return fit;
}

/** Begins it, begins a word of it, stands in it, or has its letters in it in their order. */
function fitOfWord(text: string, word: string): number {
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

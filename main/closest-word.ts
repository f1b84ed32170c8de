import type { Integration } from '../shared/integration.ts';
import { displayText } from './address/display-text.ts';
import { PosternError } from './errors/postern-error.ts';

const longest = 120;
/** Candidates of nearly the same length that are compared. */
const mostCompared = 1_000;

/**
 * The word of `candidates` that `typed` was probably meant to be, in whatever case: a start of it, or at most two slips
 * away.
 */
export function closestWord(typed: string, candidates: readonly string[]): string | undefined {
  const word = lower(typed);
  if (word.length === 0) return undefined;
  const started = candidates.filter((candidate) => word.length > 1 && lower(candidate).startsWith(word));
  if (started.length === 1) return started[0];
  const allowed = word.length < 5 ? 1 : 2;
  const ranked = candidates
    // Each letter too many or too few is a slip: of thousands of names few are compared.
    .filter((candidate) => Math.abs(Math.min(candidate.length, longest) - word.length) <= allowed)
    .slice(0, mostCompared)
    .map((candidate) => ({ candidate, distance: editDistance(word, lower(candidate)) }))
    .filter(({ distance }) => distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** What is longer is compared by its start: the work grows with both lengths. */
function lower(word: string): string {
  return word.slice(0, longest).toLowerCase();
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(rows, row - 1, column) + 1,
        (current[column - 1] ?? 0) + 1,
        at(rows, row - 1, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(rows, row - 2, column - 2) + 1);
      }
      current.push(cost);
    }
    rows.push(current);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}

/** Candidates that an error names. */
const mostCandidates = 5;

/** Several servers are meant by one reference. */
export class AmbiguousReference extends PosternError {
  readonly candidates: readonly Pick<Integration, 'id' | 'name'>[];

  constructor(candidates: readonly Pick<Integration, 'id' | 'name'>[]) {
    const shown = candidates.slice(0, mostCandidates).map(({ id, name }) => `“${displayText(name, 40)}” (${id})`);
    super('NOT_FOUND', { stage: 'app', detail: { count: candidates.length, candidates: shown } });
    this.candidates = candidates;
  }
}

import type { Integration } from '../shared/integration.ts';
import { displayText } from './address/display-text.ts';
import { PosternError } from './errors/postern-error.ts';

const maxLength = 120;
/** Candidates of similar length to compare. */
const maxCompared = 1_000;

/**
 * The candidate that `typed` was probably meant to be: the only one it is a prefix of, or one within two typos
 * (one for words under five letters). Ignores case.
 */
export function closestWord(typed: string, candidates: readonly string[]): string | undefined {
  const word = lower(typed);
  if (word.length === 0) return undefined;
  const prefixed = candidates.filter((candidate) => word.length > 1 && lower(candidate).startsWith(word));
  if (prefixed.length === 1) return prefixed[0];
  const allowed = word.length < 5 ? 1 : 2;
  const ranked = candidates
    // A difference in length is at least as many typos. Checking it first keeps thousands of names cheap.
    .filter((candidate) => Math.abs(Math.min(candidate.length, maxLength) - word.length) <= allowed)
    .slice(0, maxCompared)
    .map((candidate) => ({ candidate, distance: editDistance(word, lower(candidate)) }))
    .filter(({ distance }) => distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Only the first 120 characters are compared, because the work grows with the product of both lengths. */
function lower(word: string): string {
  return word.slice(0, maxLength).toLowerCase();
}

/** Insertions, deletions, substitutions and transpositions (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(rows, row - 1, column) + 1,
        (current[column - 1] ?? 0) + 1,
        at(rows, row - 1, column - 1) + (isSame ? 0 : 1),
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

/** Candidates listed in an error. */
const maxCandidates = 5;

/** A reference that matches several servers. */
export class AmbiguousReference extends PosternError {
  readonly candidates: readonly Pick<Integration, 'id' | 'name'>[];

  constructor(candidates: readonly Pick<Integration, 'id' | 'name'>[]) {
    const labels = candidates.slice(0, maxCandidates).map(({ id, name }) => `“${displayText(name, 40)}” (${id})`);
    super('NOT_FOUND', { stage: 'postern', detail: { count: candidates.length, candidates: labels } });
    this.candidates = candidates;
  }
}

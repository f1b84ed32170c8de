import { describe, expect, it } from 'vitest';
import { rankEntries } from '../../../../renderer/palette/rank-entries.ts';

const named = (...labels: string[]) => labels.map((label) => ({ label }));
const found = (labels: string[], query: string): string[] =>
  rankEntries(named(...labels), query).map(({ label }) => label);

describe('rankEntries', () => {
  it('ranks prefix, then word, then substring, then letters in order', () => {
    const labels = ['Kanolite (t)', 'Banotes', 'My notes', 'Notes'];
    expect(found(labels, 'not')).toEqual(['Notes', 'My notes', 'Banotes', 'Kanolite (t)']);
  });

  it('requires every word, in any order, and also searches keywords', () => {
    expect(found(['Linear: Check', 'Linear: Rename', 'Sentry: Check'], 'check lin')).toEqual(['Linear: Check']);
    expect(rankEntries([{ label: 'Work', keywords: 'https://github.example' }], 'github')).toHaveLength(1);
    expect(found(['Linear'], 'linear x')).toEqual([]);
  });

  it('shows frequent entries for empty input, and at most 50', () => {
    expect(rankEntries([{ label: 'Rename', isLowPriority: true }, { label: 'Home' }], ' ')).toEqual([
      { label: 'Home' },
    ]);
    expect(rankEntries(named(...Array.from({ length: 99 }, (_, index) => `Server ${index}`)), 'server')).toHaveLength(
      50,
    );
  });
});

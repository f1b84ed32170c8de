import { describe, expect, it } from 'vitest';
import { rankEntries } from '../../../../renderer/palette/rank-entries.ts';

const named = (...labels: string[]) => labels.map((label) => ({ label }));
const found = (labels: string[], query: string): string[] =>
  rankEntries(named(...labels), query).map(({ label }) => label);

describe('rankEntries', () => {
  it('puts what begins with it before a word of it, before a part of it, before its letters', () => {
    const labels = ['Kanolite (t)', 'Banotes', 'My notes', 'Notes'];
    expect(found(labels, 'not')).toEqual(['Notes', 'My notes', 'Banotes', 'Kanolite (t)']);
  });

  it('wants every word, in any order, and finds by what else is known', () => {
    expect(found(['Linear: Check', 'Linear: Rename', 'Sentry: Check'], 'check lin')).toEqual(['Linear: Check']);
    expect(rankEntries([{ label: 'Work', also: 'https://github.example' }], 'github')).toHaveLength(1);
    expect(found(['Linear'], 'linear x')).toEqual([]);
  });

  it('shows of nothing typed what is meant often, and at most 50', () => {
    expect(rankEntries([{ label: 'Rename', isLater: true }, { label: 'Home' }], ' ')).toEqual([{ label: 'Home' }]);
    expect(rankEntries(named(...Array.from({ length: 99 }, (_, index) => `Server ${index}`)), 'server')).toHaveLength(
      50,
    );
  });
});

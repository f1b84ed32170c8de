import { describe, expect, it } from 'vitest';
import { filterIntegrations, sortIntegrations } from '../../../../renderer/integrations/arrange-rows.ts';
import { someIntegrations } from '../../../renderer/list-fixtures.ts';

const names = (entries: readonly { name: string }[]): string[] => entries.map(({ name }) => name);

describe('filterIntegrations', () => {
  const entries = [
    { name: 'Server 2', url: 'https://two.example/mcp' },
    { name: 'GitHub', url: 'https://api.copilot.example/' },
  ];

  it('finds every word in the name or address, ignoring case', () => {
    expect(names(filterIntegrations(entries, 'COPILOT hub'))).toEqual(['GitHub']);
    expect(names(filterIntegrations(entries, 'github mcp'))).toEqual([]);
  });

  it('returns the whole list without a search', () => {
    expect(filterIntegrations(entries, '  ')).toBe(entries);
  });
});

describe('sortIntegrations', () => {
  it('sorts numbers naturally', () => {
    const entries = ['Server 10', 'server 9', 'Alpha'].map((name) => ({ ...firstOf(someIntegrations()), name }));
    expect(names(sortIntegrations(entries))).toEqual(['Alpha', 'server 9', 'Server 10']);
  });
});

function firstOf<Entry>([first]: readonly Entry[]): Entry {
  if (first === undefined) throw new Error('there is no entry');
  return first;
}

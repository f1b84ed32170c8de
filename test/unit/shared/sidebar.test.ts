import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { maxGroups, maxPlacedServers } from '../../../shared/bounds.ts';
import { arrangementSchema } from '../../../shared/settings.ts';
import { changeSidebar } from '../../../shared/sidebar.ts';
import type { Arrangement, SidebarChange } from '../../../shared/sidebar.ts';

const all = (): boolean => true;
const two: Arrangement = {
  pinned: ['a'],
  groups: [
    { name: 'Work', servers: ['a', 'b'] },
    { name: 'Home', servers: ['c'], isFolded: true },
  ],
};
const after = (change: SidebarChange, before: Arrangement = two): Arrangement => {
  const changed = changeSidebar(before, change, all);
  if (!changed) throw new Error('no room');
  return changed;
};

describe('changeSidebar', () => {
  it('pins several at once, without duplicates; a pinned server keeps its group', () => {
    const pinned = after({ do: 'pin', ids: ['b', 'a'], isPinned: true });
    expect(pinned.pinned?.toSorted()).toEqual(['a', 'b']);
    expect(pinned.groups).toEqual(two.groups);
    expect(after({ do: 'pin', ids: ['a'], isPinned: false }).pinned).toBeUndefined();
  });

  it('moves into a new group, an existing one, and none; removes empty groups', () => {
    expect(after({ do: 'move', ids: ['b', 'x'], group: 'New' }).groups).toEqual([
      { name: 'Work', servers: ['a'] },
      { name: 'Home', servers: ['c'], isFolded: true },
      { name: 'New', servers: ['b', 'x'] },
    ]);
    expect(after({ do: 'move', ids: ['c'], group: 'Work' }).groups).toEqual([
      { name: 'Work', servers: ['a', 'b', 'c'] },
    ]);
    expect(after({ do: 'move', ids: ['a', 'b', 'c'], group: null })).toEqual({ pinned: ['a'] });
  });

  it('renames a group in place; an existing name merges both', () => {
    expect(after({ do: 'rename', group: 'Work', name: 'Office' }).groups?.map(({ name }) => name)).toEqual([
      'Office',
      'Home',
    ]);
    expect(after({ do: 'rename', group: 'Home', name: 'Work' }).groups).toEqual([
      { name: 'Work', servers: ['a', 'b', 'c'] },
    ]);
    expect(after({ do: 'rename', group: 'gone', name: 'Work' })).toEqual(two);
  });

  it('collapses a group and expands it', () => {
    const folded = after({ do: 'fold', group: 'Work', isFolded: true });
    expect(folded.groups?.map(({ isFolded }) => isFolded)).toEqual([true, true]);
    expect(after({ do: 'fold', group: 'Work', isFolded: false }, folded)).toEqual(two);
  });

  it('dissolves a group, including pinned servers', () => {
    const home = { name: 'Home', servers: ['c'], isFolded: true };
    expect(after({ do: 'ungroup', group: 'Work' })).toEqual({ pinned: ['a'], groups: [home] });
    expect(after({ do: 'ungroup', group: 'gone' })).toEqual(two);
  });

  it('accepts as many groups, members and pins as its schema allows, and no more', () => {
    const many = (count: number, of: string): string[] => Array.from({ length: count }, (_, index) => `${of}${index}`);
    const groups = many(maxGroups, 'g').map((name) => ({ name, servers: [`${name} one`, `${name} two`] }));
    const move: SidebarChange = { do: 'move', ids: ['g0 one'], group: 'New' };
    expect(changeSidebar({ groups }, move, all)).toBeUndefined();
    expect(changeSidebar({ groups: groups.slice(1) }, move, all)?.groups).toHaveLength(maxGroups);
    // Removing the last member removes the group.
    expect(changeSidebar({ groups }, { ...move, ids: ['g0 one', 'g0 two'] }, all)?.groups).toHaveLength(maxGroups);
    const full: Arrangement = {
      pinned: many(maxPlacedServers, 'p'),
      groups: [
        { name: 'Full', servers: many(maxPlacedServers, 's') },
        { name: 'Small', servers: ['x'] },
      ],
    };
    for (const change of [
      { do: 'move', ids: ['x'], group: 'Full' },
      { do: 'rename', group: 'Small', name: 'Full' },
      { do: 'pin', ids: ['x'], isPinned: true },
    ] satisfies SidebarChange[]) {
      expect(changeSidebar(full, change, all)).toBeUndefined();
      const changed = changeSidebar(full, change, (server) => server !== 's0' && server !== 'p0');
      expect(arrangementSchema().safeParse(changed).success).toBe(true);
    }
  });

  it('drops servers that are gone at the next change', () => {
    const change: SidebarChange = { do: 'pin', ids: ['b'], isPinned: true };
    expect(changeSidebar(two, change, (id) => id !== 'a' && id !== 'c')).toEqual({
      pinned: ['b'],
      groups: [{ name: 'Work', servers: ['b'] }],
    });
  });

  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
  const name = fc.constantFrom('Work', 'Home', 'New');
  const changes = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('pin' as const), ids, isPinned: fc.boolean() }),
      fc.record({ do: fc.constant('move' as const), ids, group: fc.option(name) }),
      fc.record({ do: fc.constant('rename' as const), group: name, name }),
      fc.record({ do: fc.constant('ungroup' as const), group: name }),
      fc.record({ do: fc.constant('fold' as const), group: name, isFolded: fc.boolean() }),
    ),
  );

  test.prop([changes])('stays valid, with each server in one group, whatever the changes', (made) => {
    const arranged = made.reduce<Arrangement>((sidebar, change) => after(change, sidebar), two);
    expect(arrangementSchema().safeParse(arranged).success).toBe(true);
    const grouped = arranged.groups?.flatMap(({ servers }) => servers) ?? [];
    expect(new Set(grouped).size).toBe(grouped.length);
    const namesNow = arranged.groups?.map((group) => group.name) ?? [];
    expect(new Set(namesNow).size).toBe(namesNow.length);
  });
});

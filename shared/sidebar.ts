import * as z from 'zod/mini';
import { maxGroups, maxPlacedServers } from './bounds.ts';
import { arrangementSchema, groupNameSchema, serverIdsSchema } from './settings.ts';

export const sidebarSchema = z.strictObject({
  ...arrangementSchema().shape,
  /** The whole sidebar. */
  isFolded: z.optional(z.literal(true)),
});

export type Arrangement = z.infer<ReturnType<typeof arrangementSchema>>;
export type Sidebar = z.infer<typeof sidebarSchema>;
type Group = NonNullable<Arrangement['groups']>[number];

/** The user's changes to the sidebar. */
export const sidebarChangeSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('pin'), ids: serverIdsSchema(), isPinned: z.boolean() }),
  /** `null`: out of any group. A missing group is created; an empty one is removed. */
  z.strictObject({ do: z.literal('move'), ids: serverIdsSchema(), group: z.nullable(groupNameSchema()) }),
  /** An existing group with that name takes all its servers. */
  z.strictObject({ do: z.literal('rename'), group: groupNameSchema(), name: groupNameSchema() }),
  /** All its servers, including pinned or hidden ones, are then in no group. */
  z.strictObject({ do: z.literal('ungroup'), group: groupNameSchema() }),
  /** Without a group: the whole sidebar, which is not part of the arrangement. */
  z.strictObject({ do: z.literal('fold'), group: z.optional(groupNameSchema()), isFolded: z.boolean() }),
]);

export type SidebarChange = z.infer<typeof sidebarChangeSchema>;

/**
 * The sidebar after a change; `undefined` if it is full. `isKnown`: whether a server is in the list or may come back;
 * others are dropped.
 */
export function changeSidebar(
  sidebar: Arrangement,
  change: SidebarChange,
  isKnown: (id: string) => boolean,
): Arrangement | undefined {
  const { pinned = [], groups = [] } = sidebar;
  switch (change.do) {
    case 'pin': {
      const others = pinned.filter((each) => !change.ids.includes(each));
      return tidy({ ...sidebar, pinned: change.isPinned ? [...others, ...change.ids] : others }, isKnown);
    }
    case 'move':
      return tidy({ ...sidebar, groups: withMoved(groups, change.ids, change.group) }, isKnown);
    case 'rename': {
      const source = groups.find(({ name }) => name === change.group);
      if (!source || change.group === change.name) return sidebar;
      if (groups.some(({ name }) => name === change.name))
        return tidy({ ...sidebar, groups: withMoved(groups, source.servers, change.name) }, isKnown);
      const renamed = groups.map((each) => (each === source ? { ...each, name: change.name } : each));
      return tidy({ ...sidebar, groups: renamed }, isKnown);
    }
    case 'ungroup':
      return tidy({ ...sidebar, groups: groups.filter(({ name }) => name !== change.group) }, isKnown);
    case 'fold': {
      const folded = groups.map((each) => {
        if (each.name !== change.group) return each;
        const { name, servers } = each;
        return { name, servers, ...(change.isFolded && { isFolded: true as const }) };
      });
      return tidy({ pinned, groups: folded }, isKnown);
    }
  }
}

function withMoved(groups: readonly Group[], servers: readonly string[], to: string | null): readonly Group[] {
  const moving = new Set(servers);
  const remaining = groups.map((each) => ({ ...each, servers: each.servers.filter((server) => !moving.has(server)) }));
  if (to === null) return remaining;
  if (!remaining.some(({ name }) => name === to)) return [...remaining, { name: to, servers: [...moving] }];
  return remaining.map((each) => (each.name === to ? { ...each, servers: [...each.servers, ...moving] } : each));
}

/** Removes empty groups and unknown servers; `undefined` if the schema's limits are exceeded. */
function tidy(
  { pinned, groups }: Omit<Arrangement, 'groups'> & { readonly groups?: readonly Group[] | undefined },
  isKnown: (id: string) => boolean,
): Arrangement | undefined {
  const known = (servers: readonly string[] = []): string[] => servers.filter(isKnown);
  const remainingPins = known(pinned);
  const filled = (groups ?? [])
    .map((each) => ({ ...each, servers: known(each.servers) }))
    .filter(({ servers }) => servers.length > 0);
  if (filled.length > maxGroups) return undefined;
  if ([remainingPins, ...filled.map(({ servers }) => servers)].some(({ length }) => length > maxPlacedServers))
    return undefined;
  return {
    ...(remainingPins.length > 0 && { pinned: remainingPins }),
    ...(filled.length > 0 && { groups: filled }),
  };
}

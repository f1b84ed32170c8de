import type { IntegrationView } from '../../shared/integration-view.ts';
import type { Sidebar } from '../../shared/sidebar.ts';

interface Placed {
  /** Of no other row. */
  readonly key: string;
  /** 2: in a group. */
  readonly level: 1 | 2;
  /** Among those of its level around it, from 1. */
  readonly position: number;
  readonly count: number;
}

interface ServerRow extends Placed {
  readonly kind: 'server';
  readonly server: IntegrationView;
  readonly isPinned: boolean;
  readonly group: string | undefined;
}

export interface GroupRow extends Placed {
  readonly kind: 'group';
  readonly group: string;
  readonly servers: readonly IntegrationView[];
  readonly isFolded: boolean;
}

export type Row = ServerRow | GroupRow;

type Unplaced = Omit<ServerRow, keyof Placed> | Omit<GroupRow, keyof Placed>;

/**
 * What stands below each other: pinned servers, groups, then the rest, each by name, so that a row stays where it is
 * whatever becomes of its server. A pinned one stands there alone. `sorted`: the servers by name.
 */
export function arrangeRows(sorted: readonly IntegrationView[], { pinned = [], groups = [] }: Sidebar): readonly Row[] {
  const pins = new Set(pinned);
  const groupOf = new Map(groups.flatMap(({ name, servers }) => servers.map((id) => [id, name] as const)));
  const inGroup = Map.groupBy(sorted, ({ id }) => (pins.has(id) ? undefined : groupOf.get(id)));
  const alone = (server: IntegrationView): Unplaced => ({
    kind: 'server',
    server,
    isPinned: pins.has(server.id),
    group: undefined,
  });
  const first = sorted.filter(({ id }) => pins.has(id)).map(alone);
  const rest = (inGroup.get(undefined) ?? []).filter(({ id }) => !pins.has(id)).map(alone);
  const heads = groups
    .toSorted((one, other) => compareNames(one.name, other.name))
    .flatMap(({ name, isFolded = false }): Unplaced[] => {
      const servers = inGroup.get(name);
      return servers ? [{ kind: 'group', group: name, servers, isFolded }] : [];
    });
  return place([...first, ...heads, ...rest], 1).flatMap((row) => {
    if (row.kind === 'server' || row.isFolded) return [row];
    const { group, servers } = row;
    const inside = servers.map((server): Unplaced => ({ kind: 'server', server, isPinned: false, group }));
    return [row, ...place(inside, 2)];
  });
}

function place(rows: readonly Unplaced[], level: Placed['level']): Row[] {
  const count = rows.length;
  return rows.map((row, index) => {
    // An id of a server holds no space.
    const key = row.kind === 'group' ? `group ${row.group}` : row.server.id;
    return { ...row, key, level, position: index + 1, count };
  });
}

/** The next row whose name begins so, from `from` on and around; of one letter after that row. */
export function findByLetters(rows: readonly Row[], letters: string, from: number): number {
  const wanted = letters.toLowerCase();
  const start = Math.max(0, letters.length === 1 ? from + 1 : from);
  const inOrder = rows.map((_row, index) => (start + index) % rows.length);
  return inOrder.find((index) => nameOf(rows[index]).toLowerCase().startsWith(wanted)) ?? -1;
}

function nameOf(row: Row | undefined): string {
  if (!row) return '';
  return row.kind === 'group' ? row.group : row.server.name;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** As people order names: `Server 9` before `Server 10`. */
export const compareNames = (one: string, other: string): number => names.compare(one, other);

export function sortIntegrations(integrations: readonly IntegrationView[]): IntegrationView[] {
  return integrations.toSorted((one, other) => compareNames(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

/** Every word of the search has to be in the name or the address. */
export function filterIntegrations<Entry extends Pick<IntegrationView, 'name' | 'url'>>(
  integrations: readonly Entry[],
  search: string,
): readonly Entry[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return integrations;
  return integrations.filter(({ name, url }) => {
    const text = `${name}\n${url}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

type Account = Pick<IntegrationView, 'account' | 'person' | 'state'>;

/** Whose sign-in it is, in the one word that tells two accounts apart best; `undefined` where the service did not say. */
export function accountOf({ account, person, state }: Account): string | undefined {
  if (state === 'signedOut') return undefined;
  const parts = [person?.email ?? person?.name ?? account, person?.organisation];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

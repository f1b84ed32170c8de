import type { IntegrationView } from '../../shared/integration-view.ts';
import type { Sidebar } from '../../shared/sidebar.ts';

interface RowPosition {
  /** Unique among rows. */
  readonly key: string;
  /** 2: inside a group. */
  readonly level: 1 | 2;
  /** Position among its siblings, from 1. */
  readonly position: number;
  readonly count: number;
}

interface ServerRow extends RowPosition {
  readonly kind: 'server';
  readonly server: IntegrationView;
  readonly isPinned: boolean;
  readonly group: string | undefined;
}

export interface GroupRow extends RowPosition {
  readonly kind: 'group';
  readonly group: string;
  readonly servers: readonly IntegrationView[];
  readonly isFolded: boolean;
}

export type Row = ServerRow | GroupRow;

type UnpositionedRow = Omit<ServerRow, keyof RowPosition> | Omit<GroupRow, keyof RowPosition>;

/**
 * Row order: pinned servers, groups, then the rest, each by name, so that a row does not move when its server's status
 * changes. A pinned server appears only at the top. `sorted`: the servers by name.
 */
export function arrangeRows(sorted: readonly IntegrationView[], { pinned = [], groups = [] }: Sidebar): readonly Row[] {
  const pins = new Set(pinned);
  const groupOf = new Map(groups.flatMap(({ name, servers }) => servers.map((id) => [id, name] as const)));
  const inGroup = Map.groupBy(sorted, ({ id }) => (pins.has(id) ? undefined : groupOf.get(id)));
  const ungroupedRow = (server: IntegrationView): UnpositionedRow => ({
    kind: 'server',
    server,
    isPinned: pins.has(server.id),
    group: undefined,
  });
  const first = sorted.filter(({ id }) => pins.has(id)).map(ungroupedRow);
  const rest = (inGroup.get(undefined) ?? []).filter(({ id }) => !pins.has(id)).map(ungroupedRow);
  const heads = groups
    .toSorted((one, other) => compareNames(one.name, other.name))
    .flatMap(({ name, isFolded = false }): UnpositionedRow[] => {
      const servers = inGroup.get(name);
      return servers ? [{ kind: 'group', group: name, servers, isFolded }] : [];
    });
  return addPositions([...first, ...heads, ...rest], 1).flatMap((row) => {
    if (row.kind === 'server' || row.isFolded) return [row];
    const { group, servers } = row;
    const inside = servers.map((server): UnpositionedRow => ({ kind: 'server', server, isPinned: false, group }));
    return [row, ...addPositions(inside, 2)];
  });
}

function addPositions(rows: readonly UnpositionedRow[], level: RowPosition['level']): Row[] {
  const count = rows.length;
  return rows.map((row, index) => {
    // Server IDs contain no spaces.
    const key = row.kind === 'group' ? `group ${row.group}` : row.server.id;
    return { ...row, key, level, position: index + 1, count };
  });
}

/**
 * The next row whose name starts with `letters`, searching from `from` and wrapping around. A single letter skips the
 * current row.
 */
export function findByLetters(rows: readonly Row[], letters: string, from: number): number {
  const prefix = letters.toLowerCase();
  const start = Math.max(0, letters.length === 1 ? from + 1 : from);
  const inOrder = rows.map((_row, index) => (start + index) % rows.length);
  return inOrder.find((index) => nameOf(rows[index]).toLowerCase().startsWith(prefix)) ?? -1;
}

function nameOf(row: Row | undefined): string {
  if (!row) return '';
  return row.kind === 'group' ? row.group : row.server.name;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Natural order: `Server 9` before `Server 10`. */
export const compareNames = (one: string, other: string): number => names.compare(one, other);

export function sortIntegrations(integrations: readonly IntegrationView[]): IntegrationView[] {
  return integrations.toSorted((one, other) => compareNames(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

/** Every search word must occur in the name or the address. */
export function filterIntegrations<Entry extends Pick<IntegrationView, 'name' | 'url'>>(
  integrations: readonly Entry[],
  search: string,
): readonly Entry[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return integrations;
  return integrations.filter(({ name, url }) => {
    const text = `${name}\n${url}`.toLowerCase();
    return terms.every((word) => text.includes(word));
  });
}

type Account = Pick<IntegrationView, 'account' | 'user' | 'state'>;

/** The label that best distinguishes two accounts; `undefined` if the service did not report one. */
export function accountOf({ account, user, state }: Account): string | undefined {
  if (state === 'signedOut') return undefined;
  const parts = [user?.email ?? user?.name ?? account, user?.organization];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

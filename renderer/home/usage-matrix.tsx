import { Circle, Clock, Eye, ListChecks, Pause, Plus, ShieldQuestion } from 'lucide-react';
import { Fragment, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import type { Today } from '../../shared/activity.ts';
import type { AppView, CollectionView } from '../../shared/app-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { needsUser } from '../../shared/status-words.ts';
import { levelOf, toolPresets } from '../../shared/tool-permissions.ts';
import type { ToolPermissions } from '../../shared/tool-permissions.ts';
import { showCalls } from '../activity/use-activity.ts';
import { selectApp } from '../apps/app-selection.tsx';
import { Button } from '../components/button.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { useVisibleRows } from '../components/use-visible-rows.ts';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus, ServerIcon, StatusMark } from '../integrations/server-icon.tsx';
import { useAppSearch } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show, showIntegration, showPermissions } from '../view.ts';
import { words } from '../words.ts';
import './usage-matrix.css';

/** Pixels. */
const headWidth = 152;
const columnWidth = 116;
/** Shown at first. All apps in use are shown, and others up to this number. */
const maxServers = 12;
const maxApps = 6;

interface AppRow {
  readonly app: AppView;
  /** Servers that it uses, directly or through a collection. */
  readonly used: ReadonlySet<string>;
  /** Servers whose lines the user has yet to paste. */
  readonly waiting: ReadonlySet<string>;
}

interface UsageMatrixProps {
  readonly uses: Today['uses'];
}

/** AI apps and the servers that some app uses. Nothing while no app uses a server. */
export function UsageMatrix({ uses }: UsageMatrixProps) {
  const apps = useSnapshots((state) => state.apps);
  const collections = useSnapshots((state) => state.collections);
  const integrations = useSnapshots((state) => state.integrations);
  const [isWhole, setWhole] = useState(false);
  useAppSearch();
  const all = useMemo(() => (apps ?? []).map((app) => rowOf(app, collections ?? [])), [apps, collections]);
  const servers = useColumns(all, uses, integrations ?? []);
  const counts = useMemo(() => new Map(uses.map((use) => [`${use.app} ${use.integration}`, use.count])), [uses]);
  if (servers.length === 0) return null;
  const isInUse = ({ app, used, waiting }: AppRow): boolean =>
    used.size > 0 || waiting.size > 0 || uses.some((use) => use.app === app.id);
  const inUse = all.filter(isInUse);
  const rows = [...inUse, ...all.filter((row) => !isInUse(row))].slice(
    0,
    isWhole ? undefined : Math.max(inUse.length, maxApps),
  );
  const columns = isWhole ? servers : servers.slice(0, maxServers);
  return (
    <section className="section" aria-labelledby="matrix-title">
      <h2 id="matrix-title">{words.home.matrix}</h2>
      <Grid
        rows={rows}
        columns={columns}
        useOf={(row, server) => useOf(row, server, counts.get(`${row.app.id} ${server.id}`) ?? 0)}
      />
      {(rows.length < all.length || columns.length < servers.length) && (
        <div>
          <Button onClick={() => setWhole(true)}>{words.home.showAll(all.length, servers.length)}</Button>
        </div>
      )}
    </section>
  );
}

function rowOf(app: AppView, collections: readonly CollectionView[]): AppRow {
  const withMembers = (ids: readonly string[]): ReadonlySet<string> =>
    new Set([...ids, ...collections.flatMap(({ id, members }) => (ids.includes(id) ? members : []))]);
  return { app, used: withMembers(app.uses), waiting: withMembers(app.waiting ?? []) };
}

/** Servers that some app uses, the last used first. */
function useColumns(
  rows: readonly AppRow[],
  uses: Today['uses'],
  integrations: readonly IntegrationView[],
): readonly IntegrationView[] {
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  return useMemo(() => {
    const lastUses = new Map<string, number>();
    for (const { integration, lastAt } of uses)
      lastUses.set(integration, Math.max(lastAt, lastUses.get(integration) ?? 0));
    const isUsed = ({ id }: IntegrationView): boolean =>
      lastUses.has(id) || rows.some(({ used, waiting }) => used.has(id) || waiting.has(id));
    // A column stays in its place while the page is open, so that no click meets another one.
    const placeOf = ({ id }: IntegrationView): number => places.current.get(id) ?? places.current.size;
    const columns = sortIntegrations(integrations.filter(isUsed))
      .toSorted((one, other) => (lastUses.get(other.id) ?? 0) - (lastUses.get(one.id) ?? 0))
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    places.current = new Map(columns.map(({ id }, index) => [id, index]));
    return columns;
  }, [rows, uses, integrations]);
}

/** What an app does on a server. */
interface Use {
  readonly mark: ReactNode;
  /** Empty: only the mark. */
  readonly text: string;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly kind: 'add' | 'plain' | 'alert';
  readonly open: () => void;
}

function useOf({ app, used, waiting }: AppRow, server: IntegrationView, count: number): Use {
  const { use } = words.home;
  const plain = (text: string, mark: ReactNode, open: () => void, kind: Use['kind'] = 'plain'): Use => ({
    ...{ mark, text, kind, open },
    label: use.of(app.name, server.name, text),
  });
  const openApp = (): void => show({ name: 'app', id: app.id });
  if (!used.has(server.id) && waiting.has(server.id)) return plain(use.waiting, icon(Clock), openApp, 'alert');
  if (used.has(server.id)) {
    if (needsUser(server)) {
      const isSignIn = server.status.name === 'signIn' || server.status.name === 'signInAgain';
      const text = isSignIn ? use.signIn : use.needsUser;
      const mark = <StatusMark status={server.status.name} />;
      const alert = plain(text, mark, () => showIntegration(server.id), 'alert');
      return { ...alert, label: `${alert.label} (${describeStatus(server)})` };
    }
    if (app.isPaused) return plain(use.paused, icon(Pause), openApp, 'alert');
  }
  if (count > 0) return plain(use.today(count), <StatusMark status="ready" />, () => showCalls(app.id, server.id));
  if (!used.has(server.id)) {
    const label = use.add(server.name, app.name);
    return { mark: icon(Plus), text: '', label, kind: 'add', open: () => selectApp(server.id, app.id) };
  }
  const rule = ruleOf(server.permissions, app.id);
  return plain(use.rules[rule], icon(ruleIcons[rule]), () => showPermissions(server.id, app.id));
}

const ruleIcons = { all: Circle, some: ListChecks, ask: ShieldQuestion, read: Eye };

const icon = (Icon: typeof Plus): ReactNode => <Icon aria-hidden="true" size={13} />;

/** What an app may call, in a word. */
function ruleOf(permissions: ToolPermissions | undefined, app: string): keyof typeof ruleIcons {
  const levels = [permissions ?? {}, levelOf(permissions, app)];
  const strictest = toolPresets.findLast((preset) => levels.some((level) => level.preset === preset));
  const rules = levels.flatMap((level) => level.rules ?? []).map(({ rule }) => rule);
  if (strictest === 'read-only') return rules.every((rule) => rule === 'deny') ? 'read' : 'some';
  if (strictest === 'only-allowed') return 'some';
  if (strictest === 'ask-changes' || rules.includes('ask')) return 'ask';
  return rules.includes('deny') ? 'some' : 'all';
}

/** -1: the names of the servers or apps. */
interface Place {
  readonly row: number;
  readonly column: number;
}

interface GridProps {
  readonly rows: readonly AppRow[];
  readonly columns: readonly IntegrationView[];
  readonly useOf: (row: AppRow, server: IntegrationView) => Use;
}

/** A single Tab stop; arrow keys move, Enter opens (ARIA grid pattern). Draws only the visible columns. */
function Grid({ rows, columns, useOf: useIn }: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  const visible = useVisibleRows(columns.length, columnWidth, true);
  const [chosen, setChosen] = useState<Place>({ row: 0, column: 0 });
  const isMoving = useRef(false);
  const current = {
    row: Math.min(chosen.row, rows.length - 1),
    column: Math.min(chosen.column, columns.length - 1),
  };
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [chosen]);

  const move = (event: KeyboardEvent): void => {
    const next = placeOfKey(event, current, { row: rows.length - 1, column: columns.length - 1 });
    if (!next) return;
    event.preventDefault();
    isMoving.current = true;
    setChosen(next);
  };
  const choose = ({ target }: FocusEvent<HTMLElement>): void => {
    const [row, column] = (target.dataset['place'] ?? '').split(' ').map(Number);
    if (row !== undefined && column !== undefined && (row !== current.row || column !== current.column))
      setChosen({ row, column });
  };
  const at = (row: number, column: number) => ({
    type: 'button' as const,
    'data-place': `${row} ${column}`,
    tabIndex: row === current.row && column === current.column ? 0 : -1,
  });

  // The chosen column is always drawn, so that it cannot lose the focus.
  const drawn = [...new Set([...columns.keys()].slice(visible.first, visible.end).concat(Math.max(0, current.column)))]
    .toSorted((one, other) => one - other)
    .flatMap((index, position, all) => {
      const server = columns[index];
      return server ? [{ index, server, gap: index - (all[position - 1] ?? -1) - 1 }] : [];
    });
  const hidden = columns.length - 1 - (drawn.at(-1)?.index ?? 0);
  const gapCell = (count: number) => count > 0 && <td aria-hidden="true" />;
  // While all columns are drawn, they share the width that is left.
  const drawnWidth = drawn.length < columns.length ? { width: columnWidth } : undefined;
  const gapColumn = (count: number) => count > 0 && <col style={{ width: count * columnWidth }} />;
  return (
    <div ref={visible.ref} className="usage-box" onScroll={visible.onScroll}>
      <table
        ref={table}
        className="usage"
        role="grid"
        aria-labelledby="matrix-title"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        style={{ minWidth: headWidth + columns.length * columnWidth }}
        onKeyDown={move}
        onFocus={choose}
      >
        <colgroup>
          <col style={{ width: headWidth }} />
          {drawn.map(({ server, gap }) => (
            <Fragment key={server.id}>
              {gapColumn(gap)}
              <col style={drawnWidth} />
            </Fragment>
          ))}
          {gapColumn(hidden)}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" aria-colindex={1}>
              {words.home.app}
            </th>
            {drawn.map(({ index, server, gap }) => (
              <Fragment key={server.id}>
                {gapCell(gap)}
                <th scope="col" aria-colindex={index + 2}>
                  <button
                    {...at(-1, index)}
                    className="usage-button"
                    title={server.name}
                    onClick={() => showIntegration(server.id)}
                  >
                    <ServerIcon integration={server} size="small" />
                    <span>{server.name}</span>
                  </button>
                </th>
              </Fragment>
            ))}
            {gapCell(hidden)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={row.app.id}>
              <th scope="row" aria-colindex={1}>
                <button
                  {...at(rowIndex, -1)}
                  className="usage-button"
                  title={row.app.name}
                  onClick={() => show({ name: 'app', id: row.app.id })}
                >
                  <ServiceIcon name={row.app.name} brand={{ app: row.app.id }} size="small" />
                  <span>{row.app.name}</span>
                </button>
              </th>
              {drawn.map(({ index, server, gap }) => {
                const { kind, label, text, mark, open } = useIn(row, server);
                return (
                  <Fragment key={server.id}>
                    {gapCell(gap)}
                    <td role="gridcell" aria-colindex={index + 2}>
                      <button
                        {...at(rowIndex, index)}
                        className={`usage-button ${kind}`}
                        aria-label={label}
                        title={label}
                        onClick={open}
                      >
                        {mark}
                        {text !== '' && <span>{text}</span>}
                      </button>
                    </td>
                  </Fragment>
                );
              })}
              {gapCell(hidden)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where a key moves to; the corner holds nothing. */
function placeOfKey(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Place,
  last: Place,
): Place | undefined {
  const first = row < 0 ? 0 : -1;
  const places: Readonly<Record<string, Place | undefined>> = {
    ArrowRight: { row, column: Math.min(last.column, column + 1) },
    ArrowLeft: { row, column: Math.max(first, column - 1) },
    ArrowDown: { row: Math.min(last.row, row + 1), column },
    ArrowUp: { row: Math.max(column < 0 ? 0 : -1, row - 1), column },
    Home: ctrlKey || metaKey ? { row: -1, column: 0 } : { row, column: first },
    End: ctrlKey || metaKey ? last : { row, column: last.column },
  };
  return places[key];
}

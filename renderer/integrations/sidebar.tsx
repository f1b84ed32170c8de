import { Activity, Blocks, Ellipsis, House, PanelLeftClose, PanelLeftOpen, Plus, Search, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useShallow } from 'zustand/shallow';
import { needsUser } from '../../shared/status-words.ts';
import { Button, IconButton } from '../components/button.tsx';
import { isCheck, useSnapshots } from '../store.ts';
import { focusSearch, openPalette, show, showIntegration, useView } from '../view.ts';
import { words } from '../words.ts';
import { arrangeRows, filterIntegrations, sortIntegrations } from './arrange-rows.ts';
import { IntegrationList } from './integration-list.tsx';
import { describeProgress, StatusMark } from './server-icon.tsx';
import { foldSidebar, toggleSidebar, useSidebarFold } from './sidebar-fold.ts';
import './sidebar.css';
import { useRowSelection } from './use-row-selection.ts';
import { useServerMenu } from './use-server-menu.tsx';

export function Sidebar() {
  const integrations = useSnapshots((state) => state.integrations);
  const isUnreadable = useSnapshots((state) => state.desktop?.settingsTrouble !== undefined);
  const view = useView((state) => state.view);
  const [search, setSearch] = useState('');
  const [onlyNeeding, setOnlyNeeding] = useState(false);
  // Without servers, Home redirects to the connect page.
  const isHome =
    view.name === 'home' ||
    (view.name === 'connect' && view.connectionId === undefined && integrations?.length === 0 && !isUnreadable);
  const arranged = useSnapshots((state) => state.desktop?.sidebar);
  const isMac = useSnapshots((state) => state.desktop?.platform === 'darwin');
  const fold = useSidebarFold();
  const isFolded = fold === 'folded';
  const focusesSearch = useRef(false);
  useEffect(() => {
    if (focusesSearch.current) focusSearch();
    focusesSearch.current = false;
  }, [isFolded]);
  const unfoldToSearch = (): void => {
    focusesSearch.current = true;
    foldSidebar(false);
  };
  // A folded sidebar hides the search, so it must not filter.
  const query = useDeferredValue(isFolded ? '' : search);
  const sorted = useMemo(() => sortIntegrations(integrations ?? []), [integrations]);
  const needing = useMemo(() => sorted.filter(needsUser), [sorted]);
  const isFiltered = !isFolded && onlyNeeding && needing.length > 0;
  const found = useMemo(
    () => filterIntegrations(isFiltered ? needing : sorted, query),
    [isFiltered, needing, sorted, query],
  );
  const selectedId = view.name === 'integration' ? view.id : undefined;
  // A search looks into folded groups too.
  const isUnfiltered = !isFiltered && query.trim() === '';
  const rows = useMemo(() => arrangeRows(found, (isUnfiltered && arranged) || {}), [found, isUnfiltered, arranged]);
  const selection = useRowSelection(rows, selectedId);
  const menu = useServerMenu();
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') setSearch('');
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    // Use the typed text: the deferred list may lag behind.
    const matching = filterIntegrations(isFiltered ? needing : sorted, search);
    const isShown = event.key === 'ArrowDown' && matching.some(({ id }) => id === selectedId);
    // Without a search: the first row of the list.
    const isSearched = isFiltered || search.trim() !== '';
    const listed = arrangeRows(matching, (!isSearched && arranged) || {});
    const [first] = listed.flatMap((row) => (row.kind === 'server' ? [row.server] : []));
    if (first === undefined) return;
    event.preventDefault();
    if (!isShown) showIntegration(first.id);
    event.currentTarget.closest('nav')?.querySelector<HTMLElement>('.integration-list')?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || fold !== 'over' || search !== '') return;
    focusesSearch.current = true;
    foldSidebar(true);
  };
  return (
    <nav
      className={fold === 'open' ? 'sidebar' : `sidebar ${fold}`}
      aria-label={words.sidebar.servers}
      onKeyDown={onKey}
    >
      <div className="sidebar-head">
        {isFolded ? (
          <IconButton id="search" icon={Search} label={words.sidebar.search} onClick={unfoldToSearch} />
        ) : (
          <div className="search">
            <Search aria-hidden="true" size={15} />
            <input
              id="search"
              type="search"
              className="input"
              value={search}
              placeholder={words.sidebar.searchHint}
              aria-label={words.sidebar.search}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={onSearchKey}
            />
            {search === '' && <SearchAll />}
          </div>
        )}
        <IconButton icon={Plus} label={words.sidebar.connect} onClick={() => show({ name: 'connect' })} />
      </div>
      <div className="sidebar-home">
        <SidebarItem
          icon={House}
          label={words.home.title}
          isCurrent={isHome}
          isFolded={isFolded}
          onPress={() => show({ name: 'home' })}
        />
      </div>
      <ConnectionList />
      <div className="sidebar-count" role="status">
        <span>
          {selection.several.length > 0
            ? words.arrange.selected(selection.several.length)
            : query || isFiltered
              ? words.sidebar.found(found.length, sorted.length)
              : sorted.length > 0 && words.sidebar.count(sorted.length)}
        </span>
        {selection.several.length > 0 && (
          <IconButton
            icon={Ellipsis}
            label={words.arrange.actions}
            aria-haspopup="menu"
            onClick={(event) => {
              const { left, bottom } = event.currentTarget.getBoundingClientRect();
              menu.open({ kind: 'servers', servers: selection.several }, { x: left, y: bottom });
            }}
          />
        )}
        {selection.several.length === 0 && needing.length > 0 && (
          <Button kind="quiet" aria-pressed={isFiltered} onClick={() => setOnlyNeeding(!isFiltered)}>
            {isFiltered ? words.sidebar.showAll : words.sidebar.needAttention(needing.length)}
          </Button>
        )}
      </div>
      {found.length > 0 ? (
        <IntegrationList
          rows={rows}
          selection={selection}
          shownId={selectedId}
          onMenu={menu.open}
          onNameGroup={menu.nameGroup}
        />
      ) : (
        <p className="sidebar-empty">
          {isUnreadable ? words.sidebar.unreadable : query ? words.sidebar.nothingFound(query) : words.sidebar.empty}
        </p>
      )}
      <div className="sidebar-foot">
        <SidebarItem
          icon={Blocks}
          label={words.apps.title}
          isCurrent={view.name === 'apps' || view.name === 'app'}
          isFolded={isFolded}
          onPress={() => show({ name: 'apps' })}
        />
        <SidebarItem
          icon={Activity}
          label={words.activity.title}
          isCurrent={view.name === 'activity'}
          isFolded={isFolded}
          onPress={() => show({ name: 'activity' })}
        />
        <div className="sidebar-last">
          <SidebarItem
            icon={Settings}
            label={words.sidebar.settings}
            isCurrent={view.name === 'settings'}
            isFolded={isFolded}
            onPress={() => show({ name: 'settings' })}
          />
          <IconButton
            icon={isFolded ? PanelLeftOpen : PanelLeftClose}
            label={isFolded ? words.arrange.unfold : words.arrange.fold}
            aria-keyshortcuts={isMac ? 'Meta+B' : 'Control+B'}
            onClick={toggleSidebar}
          />
        </div>
      </div>
      {menu.element}
    </nav>
  );
}

interface SidebarItemProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Its page is open. */
  readonly isCurrent: boolean;
  /** Only the icon is visible. */
  readonly isFolded: boolean;
  readonly onPress: () => void;
}

/** A page other than a server's. */
function SidebarItem({ icon: Icon, label, isCurrent, isFolded, onPress }: SidebarItemProps) {
  return (
    <button
      type="button"
      className="sidebar-item"
      title={isFolded ? label : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onPress}
    >
      <Icon aria-hidden="true" size={15} />
      {label}
    </button>
  );
}

/** From the server search to the command palette, labeled with its shortcut. */
function SearchAll() {
  const isMac = useSnapshots((state) => state.desktop?.platform === 'darwin');
  return (
    <button
      type="button"
      className="search-all"
      title={words.palette.open}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={openPalette}
    >
      <span className="hidden">{words.palette.open} </span>
      <kbd>{`${words.common.commandKey(isMac)}${isMac ? '' : ' '}K`}</kbd>
    </button>
  );
}

/**
 * New servers that have responded stay reachable while another page is open. Servers in the list show progress in their
 * row.
 */
function ConnectionList() {
  const connections = useSnapshots(
    useShallow(({ connections: all = [], integrations = [] }) =>
      all.filter(
        (connection) =>
          connection.turn !== 'over' &&
          !isCheck(connection) &&
          !integrations.some(({ id }) => id === connection.integrationId),
      ),
    ),
  );
  const view = useView((state) => state.view);
  if (connections.length === 0) return null;
  return (
    <div className="connection-list">
      <h2 className="sidebar-title">{words.sidebar.inProgress}</h2>
      <ul>
        {connections.map((connection) => {
          const { id, turn, name, host, url } = connection;
          const isCurrent = view.name === 'connect' && view.connectionId === id;
          return (
            <li key={id}>
              <button
                type="button"
                className="sidebar-item connection"
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() => show({ name: 'connect', connectionId: id })}
              >
                <StatusMark status={marks[turn]} />
                <span className="integration-name">{name || host || url}</span>
                <span className="integration-line">{describeProgress(connection)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const marks = { postern: 'busy', user: 'signIn', stopped: 'signInAgain', over: 'ready' } as const;

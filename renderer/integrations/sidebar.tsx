import { Activity, Blocks, Ellipsis, House, PanelLeftClose, PanelLeftOpen, Plus, Search, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useShallow } from 'zustand/shallow';
import { needsPerson } from '../../shared/status-words.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { isCheck, useSnapshots } from '../store.ts';
import { focusSearch, openPalette, show, showIntegration, useView } from '../view.ts';
import { words } from '../words.ts';
import { arrangeRows, filterIntegrations, sortIntegrations } from './arrange-rows.ts';
import { IntegrationList } from './integration-list.tsx';
import { describeProgress, StatusMark } from './server-icon.tsx';
import { foldSidebar, turnSidebar, useSidebarFold } from './sidebar-fold.ts';
import './sidebar.css';
import { useRowChoice } from './use-row-choice.ts';
import { useServerMenu } from './use-server-menu.tsx';

export function Sidebar() {
  const integrations = useSnapshots((state) => state.integrations);
  const isUnreadable = useSnapshots((state) => state.app?.settingsTrouble !== undefined);
  const view = useView((state) => state.view);
  const [search, setSearch] = useState('');
  const [onlyNeeding, setOnlyNeeding] = useState(false);
  // Without servers Home is the page that connects the first.
  const isHome =
    view.name === 'home' ||
    (view.name === 'connect' && view.connectionId === undefined && integrations?.length === 0 && !isUnreadable);
  const arranged = useSnapshots((state) => state.app?.sidebar);
  const fold = useSidebarFold();
  const isFolded = fold === 'folded';
  const wantsSearch = useRef(false);
  useEffect(() => {
    if (wantsSearch.current) focusSearch();
    wantsSearch.current = false;
  }, [isFolded]);
  const unfoldToSearch = (): void => {
    wantsSearch.current = true;
    foldSidebar(false);
  };
  // Nothing is left out of what cannot be seen to be searched.
  const wanted = useDeferredValue(isFolded ? '' : search);
  const sorted = useMemo(() => sortIntegrations(integrations ?? []), [integrations]);
  const needing = useMemo(() => sorted.filter(needsPerson), [sorted]);
  const isFiltered = !isFolded && onlyNeeding && needing.length > 0;
  const found = useMemo(
    () => filterIntegrations(isFiltered ? needing : sorted, wanted),
    [isFiltered, needing, sorted, wanted],
  );
  const selectedId = view.name === 'integration' ? view.id : undefined;
  // What is looked for is found in every group.
  const isWhole = !isFiltered && wanted.trim() === '';
  const rows = useMemo(() => arrangeRows(found, (isWhole && arranged) || {}), [found, isWhole, arranged]);
  const choice = useRowChoice(rows, selectedId);
  const menu = useServerMenu();
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') setSearch('');
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    // What is typed by now: the list that is drawn may be behind.
    const matching = filterIntegrations(isFiltered ? needing : sorted, search);
    const isShown = event.key === 'ArrowDown' && matching.some(({ id }) => id === selectedId);
    // Unsearched, what stands first in the list.
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
    wantsSearch.current = true;
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
              placeholder={words.sidebar.search}
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
          {choice.several.length > 0
            ? words.arrange.selected(choice.several.length)
            : wanted || isFiltered
              ? words.sidebar.found(found.length, sorted.length)
              : sorted.length > 0 && words.sidebar.count(sorted.length)}
        </span>
        {choice.several.length > 0 && (
          <IconButton
            icon={Ellipsis}
            label={words.arrange.actions}
            aria-haspopup="menu"
            onClick={(event) => {
              const { left, bottom } = event.currentTarget.getBoundingClientRect();
              menu.open({ kind: 'servers', servers: choice.several }, { x: left, y: bottom });
            }}
          />
        )}
        {choice.several.length === 0 && needing.length > 0 && (
          <Button kind="quiet" aria-pressed={isFiltered} onClick={() => setOnlyNeeding(!isFiltered)}>
            {isFiltered ? words.sidebar.showAll : words.sidebar.needYou(needing.length)}
          </Button>
        )}
      </div>
      {found.length > 0 ? (
        <IntegrationList
          rows={rows}
          choice={choice}
          shownId={selectedId}
          onMenu={menu.open}
          onNameGroup={menu.nameGroup}
        />
      ) : (
        <p className="sidebar-empty">
          {isUnreadable ? words.sidebar.unreadable : wanted ? words.sidebar.nothingFound(wanted) : words.sidebar.empty}
        </p>
      )}
      <div className="sidebar-foot">
        <SidebarItem
          icon={Blocks}
          label={words.programs.title}
          isCurrent={view.name === 'programs' || view.name === 'program'}
          isFolded={isFolded}
          onPress={() => show({ name: 'programs' })}
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
            aria-keyshortcuts="Control+B"
            onClick={turnSidebar}
          />
        </div>
      </div>
      {menu.part}
    </nav>
  );
}

interface SidebarItemProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Its page is open. */
  readonly isCurrent: boolean;
  /** The picture alone is seen. */
  readonly isFolded: boolean;
  readonly onPress: () => void;
}

/** A page of the window beside those of servers. */
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

/** The way from the search of servers to that of everything, named by its keys. */
function SearchAll() {
  const isMac = useSnapshots((state) => state.app?.platform === 'darwin');
  return (
    <button
      type="button"
      className="search-all"
      title={words.palette.open}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={openPalette}
    >
      <span className="hidden">{words.palette.open} </span>
      <kbd>{isMac ? '⌘K' : words.palette.shortcut}</kbd>
    </button>
  );
}

/** New servers that have answered stay in reach while something else is looked at; one in the list says so in its row. */
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

const marks = { postern: 'busy', person: 'signIn', stopped: 'signInAgain', over: 'ready' } as const;

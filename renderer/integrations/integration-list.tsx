import { ChevronDown, ChevronRight, Ellipsis, Pin } from 'lucide-react';
import { memo, useCallback, useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { placeOfAddress } from '../parts/facts.tsx';
import type { MenuPlace } from '../parts/menu.tsx';
import { targetOfKey, useVisibleRows } from '../parts/rows.ts';
import { useSnapshots } from '../store.ts';
import { beginRemoval } from '../view.ts';
import { locale, useLanguage, words } from '../words.ts';
import { accountOf, findByLetters } from './arrange-rows.ts';
import type { GroupRow, Row } from './arrange-rows.ts';
import './integration-list.css';
import { describeStatus, ServerIcon, StatusMark } from './server-icon.tsx';
import { arrangeSidebar } from './sidebar-fold.ts';
import type { RowChoice } from './use-row-choice.ts';
import { rename } from './use-server-menu.tsx';
import type { Opening } from './use-server-menu.tsx';

/** Pixels; the style sheet has the same number. */
const rowHeight = 48;

interface IntegrationListProps {
  readonly rows: readonly Row[];
  readonly choice: RowChoice;
  /** The server whose page is open. */
  readonly shownId: string | undefined;
  readonly onMenu: (of: Opening, at: MenuPlace) => void;
  readonly onNameGroup: (group: string) => void;
}

/**
 * One stop for the Tab key; arrows, Home, End, Page keys and letters move the choice, Shift and Ctrl make it larger, as
 * in the lists of a system. F2 leads to the name, Delete to what removing does, the menu key and Shift+F10 to what else
 * can be done. With groups it is a tree.
 */
export function IntegrationList({ rows, choice, shownId, onMenu, onNameGroup }: IntegrationListProps) {
  const listId = useId();
  const isTree = rows.some(({ kind }) => kind === 'group');
  const isMac = useSnapshots((state) => state.app?.platform === 'darwin');
  const visible = useVisibleRows(rows.length, rowHeight);
  const letters = useRef({ text: '', at: 0 });
  const { reveal } = visible;
  const { active } = choice;
  useEffect(() => reveal(active), [reveal, active]);

  // Rows are drawn again by what they show alone: what they do is looked up when they are pressed.
  const now = useRef({ rows, choice, isMac });
  now.current = { rows, choice, isMac };
  const press = useCallback((server: IntegrationView, event: MouseEvent) => {
    const index = now.current.rows.findIndex(({ key }) => key === server.id);
    if (event.shiftKey) now.current.choice.extend(index);
    else if (now.current.isMac ? event.metaKey : event.ctrlKey) now.current.choice.toggle(index);
    else now.current.choice.go(index);
  }, []);
  const openMenu = useCallback(
    (server: IntegrationView, at: MenuPlace) => {
      const { several } = now.current.choice;
      onMenu({ kind: 'servers', servers: several.includes(server) ? several : [server] }, at);
    },
    [onMenu],
  );
  const openGroupMenu = useCallback(
    ({ group, servers }: GroupRow, at: MenuPlace) => onMenu({ kind: 'group', group, servers }, at),
    [onMenu],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const list = event.currentTarget;
    const isDone = pressKey(event, {
      rows,
      choice,
      isMac,
      page: Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1),
      letters: letters.current,
      nameGroup: onNameGroup,
      remove: beginRemoval,
      openMenu() {
        const row = rows[active];
        const drawn = list.querySelector(`[id="${listId}-${active}"]`) ?? list;
        const { left, top } = drawn.getBoundingClientRect();
        const at = { x: left + rowHeight, y: top + rowHeight / 2 };
        if (choice.several.length > 0) onMenu({ kind: 'servers', servers: choice.several }, at);
        else if (row?.kind === 'group') openGroupMenu(row, at);
        else if (row) openMenu(row.server, at);
      },
    });
    if (isDone) event.preventDefault();
  };

  const isDrawn = active >= visible.first && active < visible.end;
  return (
    <div
      ref={visible.ref}
      className={`integration-list${choice.several.length > 0 ? ' several' : ''}`}
      role={isTree ? 'tree' : 'listbox'}
      aria-multiselectable="true"
      tabIndex={0}
      aria-label={words.sidebar.label}
      aria-keyshortcuts="Shift+F10"
      aria-activedescendant={isDrawn ? `${listId}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={visible.onScroll}
    >
      <div role="presentation" style={{ height: rows.length * rowHeight }}>
        {rows.slice(visible.first, visible.end).map((row, offset) => {
          const index = visible.first + offset;
          const place = { id: `${listId}-${index}`, isActive: index === active, top: index * rowHeight };
          if (row.kind === 'group') return <GroupRowPart key={row.key} {...place} row={row} onMenu={openGroupMenu} />;
          return (
            <IntegrationRow
              key={row.key}
              {...place}
              integration={row.server}
              isPinned={row.isPinned}
              level={isTree ? row.level : undefined}
              position={row.position}
              count={row.count}
              selected={choice.isChosen(row.server.id)}
              isShown={row.server.id === shownId}
              onPress={press}
              onMenu={openMenu}
            />
          );
        })}
      </div>
    </div>
  );
}

interface IntegrationRowProps {
  readonly id: string;
  readonly integration: IntegrationView;
  readonly isPinned: boolean;
  readonly selected: boolean;
  /** Its page is open. */
  readonly isShown: boolean;
  /** The keyboard is here. */
  readonly isActive: boolean;
  /** In a tree. */
  readonly level: 1 | 2 | undefined;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onPress: (integration: IntegrationView, event: MouseEvent) => void;
  readonly onMenu: (integration: IntegrationView, at: MenuPlace) => void;
}

/** Quiet when all is well: only what is not ready says so in words. */
const IntegrationRow = memo(function IntegrationRow(props: IntegrationRowProps) {
  // Its words change without a change of what it is given.
  useLanguage();
  const { integration, selected, isShown, isActive, level, position, count, top, onPress, onMenu } = props;
  const states = [selected && 'selected', isShown && 'shown', isActive && 'active', level === 2 && 'inside'];
  const { status, busy } = integration;
  const label = busy === undefined ? describeStatus(integration) : words.busy[busy];
  const isQuiet = busy === undefined && status.name === 'ready';
  const tone = isQuiet ? 'address' : (busy ?? status.name);
  return (
    <div
      id={props.id}
      className={['integration-row', ...states.filter(Boolean)].join(' ')}
      role={level === undefined ? 'option' : 'treeitem'}
      aria-level={level}
      title={integration.name}
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPress(integration, event)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(integration, { x: event.clientX, y: event.clientY });
      }}
    >
      <span className="integration-tile">
        <ServerIcon integration={integration} size="small" />
        <StatusMark status={busy === undefined ? status.name : 'busy'} />
      </span>
      <span className="integration-name">
        {integration.name}
        {props.isPinned && <Pin className="integration-pin" size={12} aria-hidden="true" />}
        {props.isPinned && <span className="hidden">, {words.arrange.pinned}</span>}
      </span>
      <span className={`integration-line ${tone}`}>
        {isQuiet ? (accountOf(integration) ?? placeOfAddress(integration.url, integration.host)) : label}
      </span>
      {isQuiet && <span className="hidden">, {label}</span>}
      <RowMore onMenu={(at) => onMenu(integration, at)} />
    </div>
  );
});

interface GroupRowPartProps {
  readonly id: string;
  readonly row: GroupRow;
  /** The keyboard is here. */
  readonly isActive: boolean;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onMenu: (row: GroupRow, at: MenuPlace) => void;
}

/** The head of a group: a press folds it, the menu renames it. */
const GroupRowPart = memo(function GroupRowPart({ id, row, isActive, top, onMenu }: GroupRowPartProps) {
  useLanguage();
  const { group, isFolded, servers } = row;
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <div
      id={id}
      className={`integration-row group-row${isActive ? ' active' : ''}`}
      role="treeitem"
      aria-selected={false}
      aria-expanded={!isFolded}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.count}
      title={group}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => arrangeSidebar({ do: 'fold', group, isFolded: !isFolded })}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      <span className="integration-tile">
        <Chevron size={16} aria-hidden="true" />
      </span>
      <span className="integration-name">{group}</span>
      <span className="group-count">
        {servers.length.toLocaleString(locale)}
        <span className="hidden"> {words.arrange.inGroup(servers.length)}</span>
      </span>
      <RowMore onMenu={(at) => onMenu(row, at)} />
    </div>
  );
});

/** The menu of a row, for the pointer: from the keyboard it is Shift+F10, since a row holds nothing that can be pressed. */
function RowMore({ onMenu }: { readonly onMenu: (at: MenuPlace) => void }) {
  return (
    <span
      className="integration-more"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        onMenu({ x: left, y: bottom });
      }}
    >
      <Ellipsis size={16} />
    </span>
  );
}

interface KeyPlace {
  readonly rows: readonly Row[];
  readonly choice: RowChoice;
  readonly isMac: boolean;
  /** Rows in sight. */
  readonly page: number;
  /** Typed within the last second, to find a name by. */
  readonly letters: { text: string; at: number };
  readonly openMenu: () => void;
  readonly nameGroup: (group: string) => void;
  readonly remove: (ids: readonly string[]) => void;
}

/** Milliseconds: what is typed later begins a new name. */
const typing = 1_000;

/** What a key does in the list; true: it has done something. */
function pressKey(event: KeyboardEvent, place: KeyPlace): boolean {
  const { rows, choice, isMac, page, openMenu } = place;
  const row = rows[choice.active];
  const { key, shiftKey } = event;
  const isCommand = isMac ? event.metaKey : event.ctrlKey;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return done(openMenu());
  if (key === 'Escape' && choice.several.length > 0) return done(choice.reset());
  if (isCommand && key.toLowerCase() === 'a') return done(choice.all());
  if (isCommand && key === ' ') return done(choice.toggle(choice.active));
  if (key === 'F2' && row) return done(row.kind === 'group' ? place.nameGroup(row.group) : rename(row.server.id));
  if (isDelete(key, isMac)) return remove(place, row);
  if (row && foldByKey(event, place, row)) return true;
  if (key === 'Enter' && row) return done(choice.go(choice.active));
  const target = targetOfKey(key, choice.active, page, rows.length) ?? byLetters(event, place);
  if (target === undefined || !rows[target]) return false;
  if (shiftKey && key.length > 1) choice.extend(target);
  else if (isCommand) choice.step(target);
  else choice.go(target);
  return true;
}

const done = (_nothing: void): true => true;

/** The key that says so on a Mac's keyboard sends another. */
const isDelete = (key: string, isMac: boolean): boolean => key === 'Delete' || (isMac && key === 'Backspace');

/** Main asks first, and it can be undone for some seconds. */
function remove({ choice, remove: removeAll }: KeyPlace, row: Row | undefined): boolean {
  if (choice.several.length > 0) return done(removeAll(choice.several.map(({ id }) => id)));
  if (row?.kind !== 'server') return false;
  return done(removeAll([row.server.id]));
}

/** The keys of a tree (ARIA APG): → unfolds or goes in, ← folds or goes to the group, Enter and Space turn it. */
function foldByKey({ key }: KeyboardEvent, { rows, choice }: KeyPlace, row: Row): boolean {
  if (row.kind === 'server') {
    if (key !== 'ArrowLeft' || row.group === undefined) return false;
    return done(choice.go(rows.findIndex((each) => each.kind === 'group' && each.group === row.group)));
  }
  const isTurn = key === 'Enter' || key === ' ';
  if (isTurn || key === (row.isFolded ? 'ArrowRight' : 'ArrowLeft')) {
    return done(arrangeSidebar({ do: 'fold', group: row.group, isFolded: !row.isFolded }));
  }
  return key === 'ArrowRight' ? done(choice.go(choice.active + 1)) : false;
}

function byLetters({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent, place: KeyPlace): number | undefined {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return undefined;
  const { rows, choice, letters } = place;
  const before = timeStamp - letters.at < typing ? letters.text : '';
  if (key === ' ' && before === '') return undefined;
  letters.at = timeStamp;
  // The same letter again goes on to the next of those names.
  letters.text = before === key ? key : before + key;
  const found = findByLetters(rows, letters.text, choice.active);
  return found === -1 ? undefined : found;
}

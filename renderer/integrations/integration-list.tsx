import { ChevronDown, ChevronRight, Ellipsis, Pin } from 'lucide-react';
import { memo, useCallback, useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { hostOfAddress } from '../components/facts.tsx';
import type { MenuPosition } from '../components/menu.tsx';
import { targetOfKey, useVisibleRows } from '../components/use-visible-rows.ts';
import { useSnapshots } from '../store.ts';
import { beginRemoval } from '../view.ts';
import { locale, useLanguage, words } from '../words.ts';
import { accountOf, findByLetters } from './arrange-rows.ts';
import type { GroupRow, Row } from './arrange-rows.ts';
import './integration-list.css';
import { describeStatus, ServerIcon, StatusMark } from './server-icon.tsx';
import { arrangeSidebar } from './sidebar-fold.ts';
import type { RowSelection } from './use-row-selection.ts';
import { rename } from './use-server-menu.tsx';
import type { MenuTarget } from './use-server-menu.tsx';

/** Pixels; keep in sync with the style sheet. */
const rowHeight = 48;

interface IntegrationListProps {
  readonly rows: readonly Row[];
  readonly selection: RowSelection;
  /** The server whose page is open. */
  readonly shownId: string | undefined;
  readonly onMenu: (of: MenuTarget, at: MenuPosition) => void;
  readonly onNameGroup: (group: string) => void;
}

/**
 * A single Tab stop. Arrow keys, Home, End, Page keys and letters move the selection; Shift and Ctrl extend it, as in
 * native lists. F2 renames, Delete removes, the menu key and Shift+F10 open the menu. With groups it is a tree.
 */
export function IntegrationList({ rows, selection, shownId, onMenu, onNameGroup }: IntegrationListProps) {
  const listId = useId();
  const isTree = rows.some(({ kind }) => kind === 'group');
  const isMac = useSnapshots((state) => state.desktop?.platform === 'darwin');
  const visible = useVisibleRows(rows.length, rowHeight);
  const letters = useRef({ text: '', at: 0 });
  const { reveal } = visible;
  const { active } = selection;
  useEffect(() => reveal(active), [reveal, active]);

  // Rows re-render only when their data changes, so handlers read the current state from a ref.
  const now = useRef({ rows, selection, isMac });
  now.current = { rows, selection, isMac };
  const press = useCallback((server: IntegrationView, event: MouseEvent) => {
    const index = now.current.rows.findIndex(({ key }) => key === server.id);
    if (event.shiftKey) now.current.selection.extend(index);
    else if (now.current.isMac ? event.metaKey : event.ctrlKey) now.current.selection.toggle(index);
    else now.current.selection.go(index);
  }, []);
  const openMenu = useCallback(
    (server: IntegrationView, at: MenuPosition) => {
      const { several } = now.current.selection;
      onMenu({ kind: 'servers', servers: several.includes(server) ? several : [server] }, at);
    },
    [onMenu],
  );
  const openGroupMenu = useCallback(
    ({ group, servers }: GroupRow, at: MenuPosition) => onMenu({ kind: 'group', group, servers }, at),
    [onMenu],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const list = event.currentTarget;
    const isDone = pressKey(event, {
      rows,
      selection,
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
        if (selection.several.length > 0) onMenu({ kind: 'servers', servers: selection.several }, at);
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
      className={`integration-list${selection.several.length > 0 ? ' several' : ''}`}
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
          const position = { id: `${listId}-${index}`, isActive: index === active, top: index * rowHeight };
          if (row.kind === 'group')
            return <GroupHeaderRow key={row.key} {...position} row={row} onMenu={openGroupMenu} />;
          return (
            <IntegrationRow
              key={row.key}
              {...position}
              integration={row.server}
              isPinned={row.isPinned}
              level={isTree ? row.level : undefined}
              position={row.position}
              count={row.count}
              selected={selection.isSelected(row.server.id)}
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
  /** The keyboard focus is on this row. */
  readonly isActive: boolean;
  /** Only in a tree. */
  readonly level: 1 | 2 | undefined;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onPress: (integration: IntegrationView, event: MouseEvent) => void;
  readonly onMenu: (integration: IntegrationView, at: MenuPosition) => void;
}

/** Quiet when all is well: only a server that is not ready shows its status in words. */
const IntegrationRow = memo(function IntegrationRow(props: IntegrationRowProps) {
  // Re-render when the language changes, since the props do not.
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
        {isQuiet ? (accountOf(integration) ?? hostOfAddress(integration.url, integration.host)) : label}
      </span>
      {isQuiet && <span className="hidden">, {label}</span>}
      <RowMenuButton onMenu={(at) => onMenu(integration, at)} />
    </div>
  );
});

interface GroupHeaderRowProps {
  readonly id: string;
  readonly row: GroupRow;
  /** The keyboard focus is on this row. */
  readonly isActive: boolean;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onMenu: (row: GroupRow, at: MenuPosition) => void;
}

/** A group header: a click folds it, the menu renames it. */
const GroupHeaderRow = memo(function GroupHeaderRow({ id, row, isActive, top, onMenu }: GroupHeaderRowProps) {
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
      <RowMenuButton onMenu={(at) => onMenu(row, at)} />
    </div>
  );
});

/** Opens a row's menu by pointer. The keyboard uses Shift+F10, since a row contains no focusable element. */
function RowMenuButton({ onMenu }: { readonly onMenu: (at: MenuPosition) => void }) {
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

interface KeyContext {
  readonly rows: readonly Row[];
  readonly selection: RowSelection;
  readonly isMac: boolean;
  /** Visible rows. */
  readonly page: number;
  /** Typed within the last second, for type-ahead. */
  readonly letters: { text: string; at: number };
  readonly openMenu: () => void;
  readonly nameGroup: (group: string) => void;
  readonly remove: (ids: readonly string[]) => void;
}

/** Milliseconds; a later keystroke starts a new search. */
const typeAheadTimeout = 1_000;

/** Handles a key in the list. Returns whether it did anything. */
function pressKey(event: KeyboardEvent, context: KeyContext): boolean {
  const { rows, selection, isMac, page, openMenu } = context;
  const row = rows[selection.active];
  const { key, shiftKey } = event;
  const isCommand = isMac ? event.metaKey : event.ctrlKey;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return done(openMenu());
  if (key === 'Escape' && selection.several.length > 0) return done(selection.reset());
  if (isCommand && key.toLowerCase() === 'a') return done(selection.all());
  if (isCommand && key === ' ') return done(selection.toggle(selection.active));
  if (key === 'F2' && row) return done(row.kind === 'group' ? context.nameGroup(row.group) : rename(row.server.id));
  if (isDelete(key, isMac)) return remove(context, row);
  if (row && foldByKey(event, context, row)) return true;
  if (key === 'Enter' && row) return done(selection.go(selection.active));
  const target = targetOfKey(key, selection.active, page, rows.length) ?? findTyped(event, context);
  if (target === undefined || !rows[target]) return false;
  if (shiftKey && key.length > 1) selection.extend(target);
  else if (isCommand) selection.step(target);
  else selection.go(target);
  return true;
}

const done = (_nothing: void): true => true;

/** A Mac's Delete key sends Backspace. */
const isDelete = (key: string, isMac: boolean): boolean => key === 'Delete' || (isMac && key === 'Backspace');

/** Main asks for confirmation, and it can be undone for some seconds. */
function remove({ selection, remove: removeAll }: KeyContext, row: Row | undefined): boolean {
  if (selection.several.length > 0) return done(removeAll(selection.several.map(({ id }) => id)));
  if (row?.kind !== 'server') return false;
  return done(removeAll([row.server.id]));
}

/** Tree keys (ARIA APG): → unfolds or enters, ← folds or goes to the group, Enter and Space toggle. */
function foldByKey({ key }: KeyboardEvent, { rows, selection }: KeyContext, row: Row): boolean {
  if (row.kind === 'server') {
    if (key !== 'ArrowLeft' || row.group === undefined) return false;
    return done(selection.go(rows.findIndex((each) => each.kind === 'group' && each.group === row.group)));
  }
  const isToggle = key === 'Enter' || key === ' ';
  if (isToggle || key === (row.isFolded ? 'ArrowRight' : 'ArrowLeft')) {
    return done(arrangeSidebar({ do: 'fold', group: row.group, isFolded: !row.isFolded }));
  }
  return key === 'ArrowRight' ? done(selection.go(selection.active + 1)) : false;
}

function findTyped(
  { key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent,
  context: KeyContext,
): number | undefined {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return undefined;
  const { rows, selection, letters } = context;
  const before = timeStamp - letters.at < typeAheadTimeout ? letters.text : '';
  if (key === ' ' && before === '') return undefined;
  letters.at = timeStamp;
  // Repeating one letter cycles through the names that start with it.
  letters.text = before === key ? key : before + key;
  const found = findByLetters(rows, letters.text, selection.active);
  return found === -1 ? undefined : found;
}

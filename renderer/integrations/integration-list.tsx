import { useCallback, useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { MenuPlace } from '../parts/menu.tsx';
import { useSnapshots } from '../store.ts';
import { beginRemoval } from '../view.ts';
import { words } from '../words.ts';
import type { GroupRow, Row } from './arrange-rows.ts';
import { GroupRowPart } from './group-row.tsx';
import { IntegrationRow } from './integration-row.tsx';
import { pressKey } from './list-keys.ts';
import type { RowChoice } from './use-row-choice.ts';
import type { Opening } from './use-server-menu.tsx';
import { useVisibleRows } from './use-visible-rows.ts';
import './integration-list.css';

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

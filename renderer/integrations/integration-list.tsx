import { useEffect, useId } from 'react';
import type { KeyboardEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { targetOfKey } from '../parts/target-of-key.ts';
import { useSnapshots } from '../store.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { IntegrationRow } from './integration-row.tsx';
import { rename, useServerMenu } from './use-server-menu.tsx';
import { useVisibleRows } from './use-visible-rows.ts';
import './integration-list.css';

/** Pixels; the style sheet has the same number. */
const rowHeight = 48;

interface IntegrationListProps {
  readonly integrations: readonly IntegrationView[];
  readonly selectedId: string | undefined;
}

/**
 * One stop for the Tab key; arrows, Home, End and Page keys move the choice, as in the lists of a system. F2 leads to
 * the name, Delete to the page that says what removing does, the menu key and Shift+F10 to what else can be done.
 */
export function IntegrationList({ integrations, selectedId }: IntegrationListProps) {
  const listId = useId();
  const rows = useVisibleRows(integrations.length, rowHeight);
  const selected = integrations.findIndex((integration) => integration.id === selectedId);
  const isMac = useSnapshots((state) => state.app?.platform === 'darwin');
  const { reveal } = rows;
  useEffect(() => reveal(selected), [reveal, selected]);

  const menu = useServerMenu();
  const openMenu = (list: HTMLElement): void => {
    const server = integrations[selected];
    const place = (list.querySelector('[aria-selected=true]') ?? list).getBoundingClientRect();
    if (server) menu.open(server, { x: place.left + rowHeight, y: place.top + rowHeight / 2 });
  };

  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (selectedId !== undefined && event.key === 'F2') rename(selectedId);
    if (selectedId !== undefined && isDelete(event.key, isMac))
      show({ name: 'integration', id: selectedId, tab: 'remove' });
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      return openMenu(event.currentTarget);
    }
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 1);
    const target = targetOfKey(event.key, selected, page, integrations.length);
    const integration = target === undefined ? undefined : integrations[target];
    if (integration === undefined) return;
    event.preventDefault();
    showIntegration(integration.id);
  };

  const drawn = integrations.slice(rows.first, rows.end);
  const isDrawn = selected >= rows.first && selected < rows.end;
  return (
    <>
      <div
        ref={rows.ref}
        className="integration-list"
        role="listbox"
        tabIndex={0}
        aria-label={words.sidebar.label}
        aria-keyshortcuts="Shift+F10"
        aria-activedescendant={isDrawn ? `${listId}-${selected}` : undefined}
        onKeyDown={move}
        onScroll={rows.onScroll}
      >
        <div role="presentation" style={{ height: integrations.length * rowHeight }}>
          {drawn.map((integration, offset) => (
            <IntegrationRow
              key={integration.id}
              id={`${listId}-${rows.first + offset}`}
              integration={integration}
              selected={integration.id === selectedId}
              position={rows.first + offset}
              count={integrations.length}
              top={(rows.first + offset) * rowHeight}
              onMenu={menu.open}
            />
          ))}
        </div>
      </div>
      {menu.part}
    </>
  );
}

/** The key that says so on a Mac's keyboard sends another. */
const isDelete = (key: string, isMac: boolean): boolean => key === 'Delete' || (isMac && key === 'Backspace');

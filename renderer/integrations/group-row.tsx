import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { useLanguage } from '../language.ts';
import { locale } from '../locale.ts';
import type { MenuPlace } from '../parts/menu.tsx';
import { words } from '../words.ts';
import type { GroupRow } from './arrange-rows.ts';
import { arrangeSidebar } from './arrange-sidebar.ts';
import { RowMore } from './row-more.tsx';

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
export const GroupRowPart = memo(function GroupRowPart({ id, row, isActive, top, onMenu }: GroupRowPartProps) {
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

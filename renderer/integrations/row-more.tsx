import { Ellipsis } from 'lucide-react';
import type { MenuPlace } from '../parts/menu.tsx';

/** The menu of a row, for the pointer: from the keyboard it is Shift+F10, since a row holds nothing that can be pressed. */
export function RowMore({ onMenu }: { readonly onMenu: (at: MenuPlace) => void }) {
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

import { useEffect } from 'react';
import { create } from 'zustand';
import type { SidebarChange } from '../../shared/sidebar.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { flashError, useView } from '../view.ts';

/** `over`: unfolded over the page in a narrow window, until something is selected or the page is clicked. */
type SidebarFold = 'open' | 'folded' | 'over';

/** Also true at 200% zoom. */
const narrow = window.matchMedia('(width < 720px)');
const useNarrow = create(() => ({ isNarrow: narrow.matches, isOver: false }));
narrow.addEventListener('change', () => useNarrow.setState({ isNarrow: narrow.matches, isOver: false }));
useView.subscribe(({ view }, { view: before }) => {
  if (view !== before) useNarrow.setState({ isOver: false });
});

const foldOf = (isFolded = false, { isNarrow, isOver } = useNarrow.getState()): SidebarFold => {
  if (isNarrow) return isOver ? 'over' : 'folded';
  return isFolded ? 'folded' : 'open';
};

/** Saved for a wide window; temporary in a narrow one. */
export function foldSidebar(isFolded: boolean): void {
  if (useNarrow.getState().isNarrow) useNarrow.setState({ isOver: !isFolded });
  else arrangeSidebar({ do: 'fold', isFolded });
}

export function toggleSidebar(): void {
  foldSidebar(foldOf(useSnapshots.getState().desktop?.sidebar.isFolded) !== 'folded');
}

export function useSidebarFold(): SidebarFold {
  const isFolded = useSnapshots((state) => state.desktop?.sidebar.isFolded);
  const fold = foldOf(isFolded, useNarrow());
  useEffect(() => {
    if (fold !== 'over') return;
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Element && target.closest('.pane')) foldSidebar(true);
    };
    window.addEventListener('pointerdown', onPress);
    return () => window.removeEventListener('pointerdown', onPress);
  }, [fold]);
  return fold;
}

/** Asks main to change the sidebar, which the next snapshot shows. Reports an error if it could not be saved. */
export function arrangeSidebar(change: SidebarChange): void {
  void postern.settings.arrange(change).then((result) => {
    if (!result.ok) flashError(result.error);
  });
}

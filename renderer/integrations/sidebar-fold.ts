import { useEffect } from 'react';
import { create } from 'zustand';
import type { SidebarChange } from '../../shared/sidebar.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { flashError, useView } from '../view.ts';

/** `over`: unfolded above the page, which has no room beside it; until something is chosen or the page is pressed. */
type SidebarFold = 'open' | 'folded' | 'over';

/** Letters of twice the size make a window narrow, too. */
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

/** What a person chose for a window with room is kept; in a narrow one it is for now. */
export function foldSidebar(isFolded: boolean): void {
  if (useNarrow.getState().isNarrow) useNarrow.setState({ isOver: !isFolded });
  else arrangeSidebar({ do: 'fold', isFolded });
}

export function turnSidebar(): void {
  foldSidebar(foldOf(useSnapshots.getState().app?.sidebar.isFolded) !== 'folded');
}

export function useSidebarFold(): SidebarFold {
  const isFolded = useSnapshots((state) => state.app?.sidebar.isFolded);
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

/** Asks main for a change of the side bar, which then shows it; says why where it could not be kept. */
export function arrangeSidebar(change: SidebarChange): void {
  void postern.settings.arrange(change).then((result) => {
    if (!result.ok) flashError(result.error);
  });
}

import { useEffect } from 'react';
import { useSnapshots } from '../store.ts';
import { turnSidebar } from '../integrations/sidebar-fold.ts';
import { focusSearch, openPalette, show } from '../view.ts';

/** Where there is no native menu that would have taken them (and in full screen). */
export function useShortcuts(): void {
  const isMac = useSnapshots((state) => state.app?.platform === 'darwin');
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const chosen = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!chosen || event.altKey || event.shiftKey || document.querySelector('dialog') !== null) return;
      const action = actions[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isMac]);
}

const actions: Readonly<Record<string, (() => void) | undefined>> = {
  n: () => show({ name: 'connect' }),
  f: focusSearch,
  k: openPalette,
  b: turnSidebar,
  ',': () => show({ name: 'settings' }),
};

import { useSnapshots } from '../store.ts';
import { openPalette } from '../view.ts';
import { words } from '../words.ts';

/** The way from the search of servers to that of everything, named by its keys. */
export function SearchAll() {
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

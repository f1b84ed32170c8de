import type { SidebarChange } from '../../shared/sidebar.ts';
import { postern } from '../postern.ts';
import { flashError } from '../view.ts';

/** Asks main for a change of the side bar, which then shows it; says why where it could not be kept. */
export function arrangeSidebar(change: SidebarChange): void {
  void postern.settings.arrange(change).then((result) => {
    if (!result.ok) flashError(result.error);
  });
}

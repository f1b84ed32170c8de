import type { IntegrationView } from '../../../shared/integration-view.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

/**
 * One quiet notice when a sign-in has ended, and no window by itself. Those that had ended before the first look are
 * not told: the list shows them. No address, account or reason goes into a notice.
 */
export function tellEndedSignIns(shell: Pick<DesktopShell, 'notify'>): (views: readonly IntegrationView[]) => void {
  let known: ReadonlySet<string> | undefined;
  return (views) => {
    const ended = views.filter(({ status }) => status.name === 'signInAgain');
    const before = known;
    known = new Set(ended.map(({ id }) => id));
    if (!before) return;
    for (const { id, name } of ended) {
      if (before.has(id)) continue;
      shell.notify({ title: name, body: windowWords.signInEnded, integrationId: id });
    }
  };
}

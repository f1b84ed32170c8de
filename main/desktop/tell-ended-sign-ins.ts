import type { IntegrationStore } from '../ports.ts';
import type { DesktopShell } from '../window-ports.ts';

/**
 * One quiet notice when a sign-in has ended, and no window by itself. Those that had ended before this run are not
 * told: the list shows them. No address, account or reason goes into a notice.
 */
export function tellEndedSignIns(
  store: Pick<IntegrationStore, 'list'>,
  shell: Pick<DesktopShell, 'notify'>,
): { look(): Promise<void> } {
  let known: Set<string> | undefined;
  return {
    async look() {
      const ended = (await store.list().catch(() => [])).filter(({ state }) => state === 'reauthenticationRequired');
      const before = known;
      known = new Set(ended.map(({ id }) => id));
      if (!before) return;
      for (const { id, name } of ended) {
        if (before.has(id)) continue;
        shell.notify({ title: name, body: 'The sign-in has ended. Sign in again to go on.', integrationId: id });
      }
    },
  };
}

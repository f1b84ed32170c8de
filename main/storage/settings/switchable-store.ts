import type { IntegrationStore } from '../../ports.ts';

export interface SwitchableStore extends IntegrationStore {
  /** From here on everything goes to `next`. */
  switchTo(next: IntegrationStore): void;
}

/** A store that can be exchanged while others hold it: for a program that learns later that nothing can be kept. */
export function createSwitchableStore(first: IntegrationStore): SwitchableStore {
  let current = first;
  return {
    list: () => current.list(),
    listIsWhole: () => current.listIsWhole(),
    read: (id) => current.read(id),
    write: (integration) => current.write(integration),
    update: (...changed) => current.update(...changed),
    delete: (id) => current.delete(id),
    pendingDeletions: () => current.pendingDeletions(),
    changeList: (change) => current.changeList(change),
    settings: () => current.settings(),
    updateSettings: (change) => current.updateSettings(change),
    switchTo(next) {
      current = next;
    },
  };
}

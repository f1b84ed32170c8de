import type { Locks, Log } from '../ports.ts';
import type { StoredIntegrations } from '../storage/integration-store.ts';
import { composeDesktop } from './compose-desktop.ts';
import type { ComposedDesktop, ComposeOptions } from './compose-desktop.ts';
import { openDesktopPorts } from './open-desktop-ports.ts';
import { openUpdates } from './open-updates.ts';

export interface OpenDesktopOptions extends Omit<ComposeOptions, 'openPorts'> {
  readonly store: StoredIntegrations;
  readonly locks: Locks;
  readonly log: Log;
  readonly packaged: boolean;
}

/** The program behind its windows, on the real world. One chunk of its own: the first screen does not wait for it. */
export async function openDesktop({
  store,
  locks,
  log,
  packaged,
  ...options
}: OpenDesktopOptions): Promise<ComposedDesktop> {
  const { folder } = options;
  return await composeDesktop({
    ...options,
    openUpdates: (ports, onChange) => openUpdates({ ports, version: options.facts.version, onChange }),
    openPorts: (onHealth) => openDesktopPorts({ folder, store, locks, log, packaged, onHealth }),
  });
}

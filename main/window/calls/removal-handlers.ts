import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { summariseServices } from '../../engine/leave/delete-everything.ts';
import type { Deleted } from '../../engine/leave/delete-everything.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { Surface } from '../../operations/operation.ts';
import { removeEverything } from '../../operations/servers.ts';
import type { KeptData } from '../../ports.ts';
import type { DesktopContext } from '../desktop-context.ts';

type EverythingScope = Parameters<typeof removeEverything>[0];

/** Deletes everything, and leaves the program as at its first start. */
export function deletionHandler(
  { ports, kept, gateway, connections, deletions, board, settings, imports, registry, icons }: DesktopContext,
  scope: Omit<EverythingScope, 'alone' | 'onForgotten'>,
): Pick<IpcHandlers, 'storage:deleteEverything'> {
  /** A second window, or a second click, waits for the first. */
  let running: Promise<Deleted | undefined> | undefined;

  async function alone(work: (kept: KeptData) => Promise<Deleted>): Promise<Deleted> {
    connections.end();
    await connections.ended();
    for (const { id } of connections.all()) connections.remove(id);
    imports.clear();
    await deletions.finishHere();
    registry.forget();
    // It holds files of the profile; afterwards it begins as at the first start.
    await gateway?.stop();
    const deleteRest = async (): Promise<void> => {
      // A picture that comes later would make its folder anew.
      await icons.end();
      await kept.deleteRest();
    };
    const deleted = await work({ ...kept, deleteRest }).finally(() => gateway?.start());
    if ((await ports.store.list()).length === 0) settings.forget();
    return deleted;
  }

  const run = { ...scope, alone, onForgotten: (id: string) => board.drop(id) };
  return {
    'storage:deleteEverything': async (input) => {
      running ??= removeEverything(run, input).finally(() => (running = undefined));
      const deleted = await running;
      if (!deleted) return null;
      return {
        servers: deleted.integrations,
        signIns: deleted.signIns,
        ...summariseServices(deleted),
        ...(deleted.failure && { failure: toPlainError(deleted.failure) }),
      };
    },
  };
}

/** What becomes of a sign-out or a removal within its seconds of undo. */
export function undoHandlers(
  { deletions }: DesktopContext,
  { changed }: Pick<Surface, 'changed'>,
): Pick<IpcHandlers, 'deletion:undo' | 'deletion:finish' | 'deletion:dismiss'> {
  return {
    'deletion:undo': async ({ id }) => {
      const { restored, entriesLeft } = await deletions.undo(id);
      await changed('integrations', 'programs', 'collections');
      return { restored: restored.length, entriesLeft: entriesLeft.map(({ name }) => name) };
    },
    'deletion:finish': async ({ id }) => {
      await deletions.finish(id);
      return null;
    },
    'deletion:dismiss': async ({ id }) => {
      deletions.dismiss(id);
      return null;
    },
  };
}

import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { deleteEverything, readList, summariseServices } from '../../engine/leave/delete-everything.ts';
import type { Deleted } from '../../engine/leave/delete-everything.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { Surface } from '../../operations/operation.ts';
import type { ShownChanges } from '../apps/shown-changes.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * Deletes all that is kept of a person, once they have said so to main itself, and leaves the program as at its first
 * start.
 */
export function deletionHandler(
  context: DesktopContext,
  shown: ShownChanges,
): Pick<IpcHandlers, 'storage:deleteEverything'> {
  const { ports, kept, user, gateway, connections, deletions, board, settings, imports, registry, icons, changed } =
    context;
  /** A second window, or a second click, waits for the first. */
  let running: Promise<Deleted | undefined> | undefined;

  async function run(entries: readonly string[]): Promise<Deleted | undefined> {
    const servers = (await readList(ports))?.length;
    if (!(await user.confirm({ kind: 'remove-everything', servers, entries }))) return undefined;
    for (const takeOut of shown.agreed(entries)) await takeOut().finally(() => changed('programs'));
    connections.end();
    await connections.ended();
    for (const { id } of connections.all()) connections.remove(id);
    imports.clear();
    await deletions.finishHere();
    registry.forget();
    const { signal } = new AbortController();
    // It holds files of the profile; afterwards it begins as at the first start.
    await gateway?.stop();
    const deleteRest = async (): Promise<void> => {
      // A picture that comes later would make its folder anew.
      await icons.end();
      await kept.deleteRest();
    };
    const onForgotten = (id: string): void => board.drop(id);
    const deleted = await deleteEverything(ports, { ...kept, deleteRest }, { signal, onForgotten }).finally(() =>
      gateway?.start(),
    );
    if ((await ports.store.list()).length === 0) settings.forget();
    board.awake();
    changed('app');
    changed('programs');
    changed('collections');
    return deleted;
  }

  return {
    'storage:deleteEverything': async ({ entries = [] }) => {
      running ??= run(entries).finally(() => (running = undefined));
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

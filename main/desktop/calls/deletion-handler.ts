import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { deleteEverything, readList } from '../../integration/leave/delete-everything.ts';
import type { Deleted } from '../../integration/leave/delete-everything.ts';
import { summariseServices } from '../../integration/leave/summarise-deleted.ts';
import { toPlainError } from '../../plain-error.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Deletes all that is kept of a person, once they have said so to main itself, and leaves the program as at its first start. */
export function deletionHandler(context: DesktopContext): Pick<IpcHandlers, 'storage:deleteEverything'> {
  const { ports, kept, ask, connections, board, settings, imports, changed } = context;
  /** A second window, or a second click, waits for the first. */
  let running: Promise<Deleted | undefined> | undefined;

  async function run(): Promise<Deleted | undefined> {
    if (!(await ask(windowWords.ask.deleteAll((await readList(ports))?.length)))) return undefined;
    connections.end();
    await connections.ended();
    for (const { id } of connections.all()) connections.remove(id);
    imports.clear();
    const { signal } = new AbortController();
    const deleted = await deleteEverything(ports, kept, { signal, onForgotten: (id) => board.drop(id) });
    if ((await ports.store.list()).length === 0) settings.forget();
    board.awake();
    changed('app');
    return deleted;
  }

  return {
    'storage:deleteEverything': async () => {
      running ??= run().finally(() => (running = undefined));
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

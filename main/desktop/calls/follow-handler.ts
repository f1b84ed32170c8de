import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { followChanges } from '../../integration/use/follow-changes.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';

/** What a server says has changed while the person looks at it. Whether it can be reached, its reading tells. */
export function followHandler(context: DesktopContext): Pick<IpcHandlers, 'integration:follow'> {
  const { ports, calls, keptServers } = context;
  /** A person looks at one list and one resource: the next takes the place of one whose page is gone. */
  const followed = new Map<string, { readonly call: string; readonly over: Promise<unknown> }>();
  return {
    'integration:follow': async ({ id, call, of }) => {
      const [place = ''] = Object.keys(of);
      const before = followed.get(place);
      if (before) calls.stop(before.call);
      const over = calls.run(call, async (signal) => {
        // Or its last word would end what begins here.
        await before?.over.catch(() => {});
        const tell = calls.changedIn(call);
        await followChanges(
          ports,
          await readServer(ports, id),
          of,
          { signal, keptServers },
          {
            read: async (_connection, occasion) => tell(occasion),
            broke: () => {},
          },
        );
      });
      followed.set(place, { call, over });
      await over;
      return null;
    },
  };
}

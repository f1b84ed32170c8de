import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';

type IdentityHandlers = Pick<IpcHandlers, 'integration:icon'>;

/** What a server looks like. */
export function identityHandlers({ ports, icons }: DesktopContext): IdentityHandlers {
  return {
    'integration:icon': async ({ id, mark }) => {
      const { url } = await readServer(ports, id);
      return { data: (await icons.read(url, mark)) ?? null };
    },
  };
}

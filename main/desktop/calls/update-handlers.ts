import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { DesktopContext } from '../desktop-context.ts';

type UpdateHandlers = Pick<IpcHandlers, 'update:check' | 'update:download' | 'update:install'>;

/** Each answers at once; what becomes of it is published. */
export function updateHandlers({ updates }: Pick<DesktopContext, 'updates'>): UpdateHandlers {
  return {
    'update:check': async () => {
      void updates?.check();
      return null;
    },
    'update:download': async () => {
      void updates?.download();
      return null;
    },
    'update:install': async () => {
      void updates?.install();
      return null;
    },
  };
}

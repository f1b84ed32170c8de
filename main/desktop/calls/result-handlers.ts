import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** What a person does with a result. A page names it and never says what is written, copied or opened. */
export function resultHandlers({
  results,
  shell,
}: Pick<DesktopContext, 'results' | 'shell'>): Pick<IpcHandlers, 'result:copy' | 'result:save' | 'result:open'> {
  return {
    'result:copy': async ({ call }) => {
      shell.copyText(results.text(call));
      return null;
    },
    'result:save': async ({ call, piece }) => {
      const { name, bytes } = results.file(call, piece);
      return { saved: await shell.saveFile(name, bytes) };
    },
    'result:open': async ({ call, url }) => {
      await shell.openBrowser(results.link(call, url));
      return null;
    },
  };
}

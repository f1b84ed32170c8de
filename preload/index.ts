import { contextBridge, ipcRenderer } from 'electron';
import { ipcEventChannel } from '../shared/ipc-channels.ts';

/** Names of the calls of `shared/ipc-contract.ts`, which the build puts here: the schemas stay out of the sandbox. */
declare const ipcCallNames: readonly string[];

// The api that `shared/ipc-contract.ts` types: `connection:discover` becomes `postern.connection.discover(input)`.
const api: Record<string, unknown> = {
  onEvent(listener: (event: unknown) => void) {
    const receive = (_event: unknown, message: unknown): void => listener(message);
    ipcRenderer.on(ipcEventChannel, receive);
    return () => void ipcRenderer.off(ipcEventChannel, receive);
  },
};
for (const call of ipcCallNames) {
  const [group = '', verb = ''] = call.split(':');
  const calls = (api[group] ??= {}) as Record<string, unknown>;
  calls[verb] = (input: unknown) => ipcRenderer.invoke(call, input);
}
contextBridge.exposeInMainWorld('postern', api);

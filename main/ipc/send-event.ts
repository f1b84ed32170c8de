import type { WebContents } from 'electron';
import { ipcEventChannel } from '../../shared/ipc-channels.ts';
import type { IpcEvent } from '../../shared/ipc-event.ts';

/** The one place that speaks to a window. */
export function sendEvent(webContents: WebContents, event: IpcEvent): void {
  if (!webContents.isDestroyed()) webContents.send(ipcEventChannel, event);
}

import { ipcMain } from 'electron';
import type { IpcMainInvokeEvent } from 'electron';
import { ipcCalls } from '../../../shared/ipc-contract.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { handleCall } from './handle-call.ts';
import type { CallFailure, TrustedSenders } from './handle-call.ts';

interface ServeOptions {
  /** Calls wait until this resolves. */
  readonly handlers: Promise<IpcHandlers>;
  readonly senders: TrustedSenders;
  readonly onFailure: (report: CallFailure) => void;
}

/** The only IPC entry point: trusted sender, strict input, handler, result as data. */
export function serveCalls({ handlers, senders, onFailure }: ServeOptions): void {
  // electron-store would reveal the profile path to any page on this channel.
  ipcMain.removeAllListeners('electron-store-get-data');
  for (const call of ipcCalls) {
    ipcMain.handle(call, async (event: IpcMainInvokeEvent, input: unknown) =>
      handleCall({ call, input, surface: senders.surfaceOf(event), handlers, onFailure }),
    );
  }
}

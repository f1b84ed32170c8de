import { ipcMain } from 'electron';
import type { IpcMainInvokeEvent } from 'electron';
import { ipcCalls } from '../../../shared/ipc-contract.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { answerCall } from './answer-call.ts';
import type { CallReport, TrustedSenders } from './answer-call.ts';

export interface ServeOptions {
  /** Resolves once the program can answer; calls wait for it. */
  readonly handlers: Promise<IpcHandlers>;
  readonly senders: TrustedSenders;
  readonly onFailure: (report: CallReport) => void;
}

/** The one place that listens to windows: trusted sender, strict input, handler, result as data. */
export function serveCalls({ handlers, senders, onFailure }: ServeOptions): void {
  // On which electron-store tells any page where the profile is.
  ipcMain.removeAllListeners('electron-store-get-data');
  for (const call of ipcCalls) {
    ipcMain.handle(call, async (event: IpcMainInvokeEvent, input: unknown) =>
      answerCall({ call, input, surface: senders.surfaceOf(event), handlers, onFailure }),
    );
  }
}

import type * as Electron from 'electron';
import { strictEmitter } from './not-emulated.ts';

type Handler = (event: Electron.IpcMainInvokeEvent, ...values: unknown[]) => unknown;

/** `ipcMain`, and `ipc` of web contents and frames. */
export class StandInIpcMain extends strictEmitter('ipcMain') implements Pick<Electron.IpcMain, 'handle'> {
  readonly handlers = new Map<string, Handler>();

  handle(channel: string, listener: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof listener !== 'function')
      throw new TypeError(`Expected handler to be a function, but found type '${typeof listener}'`);
    this.handlers.set(channel, listener);
  }
}

export const ipcMain = new StandInIpcMain();

import type { RunningWindow } from '../../support/launch-window.ts';

export interface IpcRecord {
  /** `ask` from the window, `answer` to it, `event` from main on its own. */
  readonly kind: 'ask' | 'answer' | 'event';
  readonly channel: string;
  /** As JSON. */
  readonly text: string;
}

type Handler = (event: unknown, ...values: unknown[]) => unknown;

/** Records all IPC between main and its windows from now on; returns a reader. */
export async function recordIpc(window: RunningWindow): Promise<() => Promise<IpcRecord[]>> {
  await window.evaluate(({ ipcMain, BrowserWindow }) => {
    const records: IpcRecord[] = [];
    Object.assign(globalThis, { ipcRecords: records });
    const note = (kind: IpcRecord['kind'], channel: string, values: unknown): void => {
      records.push({ kind, channel, text: JSON.stringify(values) ?? '' });
    };
    // Its name in the stand-in, or in Electron.
    const name = 'handlers' in ipcMain ? 'handlers' : '_invokeHandlers';
    const known = (ipcMain as unknown as Record<string, Map<string, Handler> | undefined>)[name];
    if (!known || known.size === 0) throw new Error('main has no handlers to record');
    for (const [channel, handle] of known) {
      known.set(channel, async (event, ...values) => {
        note('ask', channel, values);
        const result = await handle(event, ...values);
        note('answer', channel, result);
        return result;
      });
    }
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...values) => {
        note('event', channel, values);
        send(channel, ...values);
      };
    }
  });
  return async () =>
    await window.evaluate(() => (globalThis as unknown as { ipcRecords: IpcRecord[] }).ipcRecords.map((one) => one));
}

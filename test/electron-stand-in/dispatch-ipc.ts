import type * as Electron from 'electron';
import { createEvent } from './electron-event.ts';
import { ipcMain } from './ipc-main.ts';
import type { StandInWebContents } from './web-contents.ts';
import { createValueCodec } from './world/create-value-codec.ts';

const codec = createValueCodec();

export function encodeMessage(channel: string, values: readonly unknown[]): Record<string, unknown> {
  return { op: 'message', channel, values: values.map(codec.encode) };
}

/** Dispatches `ipcRenderer` messages to listeners and handlers in main, in Electron's lookup order. */
export function dispatchIpc(contents: StandInWebContents, message: Readonly<Record<string, unknown>>): void {
  const channel = String(message['channel']);
  const values = (message['values'] as unknown[]).map(codec.decode);
  const frame = contents.mainFrame;
  const event = createEvent({
    sender: contents as unknown as Electron.WebContents,
    senderFrame: frame as unknown as Electron.WebFrameMain,
    frameId: frame.routingId,
    processId: frame.processId,
    type: 'frame' as const,
    ports: [],
    reply: (replyChannel: string, ...replies: unknown[]) => frame.send(replyChannel, ...replies),
  });
  const places = [frame.ipc, contents.ipc, ipcMain];
  if (message['op'] === 'send') {
    contents.emit('ipc-message', event, channel, ...values);
    for (const place of places) place.emit(channel, event, ...values);
    return;
  }
  const handler = places.map(({ handlers }) => handlers.get(channel)).find((known) => known !== undefined);
  const id = message['id'];
  const answer = async (): Promise<Record<string, unknown>> => {
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { op: 'reply', id, value: codec.encode(await handler(event, ...values)) };
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      return { op: 'reply', id, error: `Error invoking remote method '${channel}': ${String(error)}` };
    }
  };
  void answer().then((reply) => contents.standInDeliver(reply));
}

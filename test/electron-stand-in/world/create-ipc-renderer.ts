import type { ValueCodec } from './create-value-codec.ts';

type Listener = (event: object, ...values: unknown[]) => void;

export interface IpcRendererEndpoint {
  readonly ipcRenderer: object;
  /** From main: a message on a channel, or the result of an `invoke`. */
  deliver(message: Readonly<Record<string, unknown>>): void;
}

/** Electron's ipcRenderer for a preload: `invoke`, `send` and listeners. */
export function createIpcRenderer(
  codec: ValueCodec,
  post: (message: Record<string, unknown>) => void,
): IpcRendererEndpoint {
  const listeners = new Map<string, { listener: Listener; call: Listener }[]>();
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 1;
  const add = (channel: string, listener: Listener, call: Listener): object => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, call }]);
    return ipcRenderer;
  };
  const on = (channel: string, listener: Listener): object => add(channel, listener, listener);
  const off = (channel: string, listener: Listener): object => {
    const known = listeners.get(channel) ?? [];
    const index = known.findLastIndex((entry) => entry.listener === listener);
    listeners.set(channel, index < 0 ? known : known.toSpliced(index, 1));
    return ipcRenderer;
  };
  const ipcRenderer: Record<string, unknown> = {
    on,
    addListener: on,
    off,
    removeListener: off,
    once: (channel: string, listener: Listener) =>
      add(channel, listener, (...values) => {
        off(channel, listener);
        listener(...values);
      }),
    removeAllListeners(channel?: string) {
      if (channel === undefined) listeners.clear();
      else listeners.delete(channel);
      return ipcRenderer;
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
    send: (channel: string, ...values: unknown[]) => post({ op: 'send', channel, values: values.map(codec.encode) }),
    invoke: (channel: string, ...values: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = next++;
        const encoded = values.map(codec.encode);
        pending.set(id, { resolve, reject });
        post({ op: 'invoke', id, channel, values: encoded });
      }),
  };
  return {
    ipcRenderer,
    deliver({ op, channel, values, id, value, error }) {
      if (op === 'message') {
        const event = { sender: ipcRenderer, ports: [] };
        const decoded = (values as unknown[]).map(codec.decode);
        for (const { call } of listeners.get(String(channel)) ?? []) call(event, ...decoded);
        return;
      }
      const call = pending.get(Number(id));
      pending.delete(Number(id));
      if (typeof error === 'string') call?.reject(new Error(error));
      else call?.resolve(codec.decode(value));
    },
  };
}

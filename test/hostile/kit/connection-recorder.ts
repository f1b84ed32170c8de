import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface ConnectionRecorder {
  /** `address:port` of every connection attempt of this process, in order. */
  readonly attempts: readonly string[];
  /** Bytes received on all of them. */
  bytesRead(): number;
  stop(): void;
}

/** Sees every TCP connection that this process attempts, whichever library makes it. */
export function recordConnections(): ConnectionRecorder {
  const attempts: string[] = [];
  const sockets: Socket[] = [];
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    sockets.push(socket);
    socket.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address}:${port}`));
  };
  subscribe('net.client.socket', onSocket);
  return {
    attempts,
    bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    stop: () => void unsubscribe('net.client.socket', onSocket),
  };
}

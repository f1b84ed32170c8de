import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import path from 'node:path';
import { LoopbackListener } from '../../main/net/endpoint/loopback-listener.ts';

/** Makes a folder look like a profile that Postern has used. */
export function markAsProfile(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'config.json'), '{}');
}

/** The socket of a profile's gateway; its folder is created as the gateway does. */
export function gatewaySocket(profileFolder: string): string {
  markAsProfile(profileFolder);
  return closedSocket(path.join(profileFolder, 'run'));
}

export function closedSocket(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return path.join(folder, 'gateway.sock');
}

/** Listens on the socket, or on a port as on Windows. Returns a function that ends both; the port file stays. */
export async function listenForPipes(
  socketPath: string,
  onPipe: (socket: Socket) => void,
): Promise<() => Promise<unknown>> {
  rmSync(socketPath, { force: true });
  const door = new LoopbackListener();
  const bySocket = createServer(onPipe);
  const byPort = createServer((socket) => {
    void door.admit(socket).then((isAdmitted) => (isAdmitted ? onPipe(socket) : socket.destroy()));
  });
  const loopback = await door.listen(byPort);
  const file = path.join(path.dirname(socketPath), 'endpoint.json');
  writeFileSync(`${file}.new`, JSON.stringify({ loopback }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  await new Promise<void>((resolve) => bySocket.listen(socketPath, resolve));
  return async () => await Promise.all([bySocket, byPort].map(end));
}

async function end(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

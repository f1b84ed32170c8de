import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';

/** Writes one line to a socket; resolves with everything received until the other side closes. */
export async function sendLine(address: string, line: string): Promise<string> {
  const socket = createConnection(address);
  socket.write(`${line}\n`);
  // One that is closed before all was read is reset, which is no response either.
  return await text(socket).catch(() => '');
}

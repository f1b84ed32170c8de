import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { Session } from '../../../pipe/session.js';

const here = Buffer.from('{"postern":1,"control":"here"}\n');
const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** A connection that says of nothing that it has left, as one whose word of it comes late. */
function openConnection() {
  const came: Buffer[] = [];
  const connection = new Duplex({
    read: () => {},
    write: (chunk: Buffer) => void came.push(chunk),
    writev: (chunks) => void came.push(...chunks.map(({ chunk }) => chunk as Buffer)),
  });
  return { connection: connection as Socket, came: () => Buffer.concat(came).toString() };
}

it('sends a request again that may not have left whole, and none whose answer came before the word that it has left', () => {
  const told: string[] = [];
  const session = new Session({ write: (bytes) => void told.push(String(bytes)), flow: () => {} });
  const first = openConnection();
  const side = session.connect(first.connection);
  side.read(here);
  session.read(Buffer.concat([line({ id: 1, method: 'tools/call' }), line({ id: 2, method: 'tools/call' })]));
  expect(first.came()).toContain('"id":1');
  side.read(line({ id: 1, result: {} }));
  side.end();
  const second = openConnection();
  session.connect(second.connection).read(here);
  expect(second.came()).toBe(line({ id: 2, method: 'tools/call' }).toString());
  expect(told).toEqual([line({ id: 1, result: {} }).toString()]);
});

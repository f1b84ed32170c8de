import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { Session } from '../../../pipe/session.js';

const here = Buffer.from('{"postern":1,"control":"here"}\n');
const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** A connection that confirms no write, like one whose confirmation is late. */
function openConnection() {
  const written: Buffer[] = [];
  const connection = new Duplex({
    read: () => {},
    write: (chunk: Buffer) => void written.push(chunk),
    writev: (chunks) => void written.push(...chunks.map(({ chunk }) => chunk as Buffer)),
  });
  return { connection: connection as Socket, sent: () => Buffer.concat(written).toString() };
}

it('resends a request whose write was not confirmed, unless it already got a response', () => {
  const output: string[] = [];
  const session = new Session({ write: (bytes) => void output.push(String(bytes)), flow: () => {} });
  const first = openConnection();
  const side = session.connect(first.connection);
  side.read(here);
  session.read(Buffer.concat([line({ id: 1, method: 'tools/call' }), line({ id: 2, method: 'tools/call' })]));
  expect(first.sent()).toContain('"id":1');
  side.read(line({ id: 1, result: {} }));
  side.end();
  const second = openConnection();
  session.connect(second.connection).read(here);
  expect(second.sent()).toBe(line({ id: 2, method: 'tools/call' }).toString());
  expect(output).toEqual([line({ id: 1, result: {} }).toString()]);
});

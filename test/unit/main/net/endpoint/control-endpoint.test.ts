import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createControlEndpoint } from '../../../../../main/net/endpoint/control-endpoint.ts';
import type { RunRemoteCommand } from '../../../../../main/net/endpoint/control-endpoint.ts';
import { encodeFrame, FrameReader } from '../../../../../main/net/endpoint/command-frames.ts';
import { afterTest } from '../../../../support/after-test.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const secret = 'a'.repeat(64);
const terminals = { stdin: false, stdout: false, stderr: false };

/** Starts a command at an endpoint that handles it with `run`; returns its socket, after `begin`. */
async function openCommand(run: RunRemoteCommand) {
  const at = path.join(temporaryFolder(), 'run', 'control.sock');
  const endpoint = createControlEndpoint({ path: at, secret, run });
  await endpoint.listen();
  afterTest(() => endpoint.close());
  const socket = createConnection(at);
  afterTest(() => void socket.destroy());
  const request = { postern: 1, secret, run: { identity: [], argv: [], env: {}, terminals } };
  socket.write(`${JSON.stringify(request)}\n`);
  socket.write(encodeFrame('begin'));
  return socket;
}

it.skipIf(process.platform === 'win32')('forwards long output in chunks, as they are read', async () => {
  const output = Buffer.alloc(8_000_000, 'output ');
  let isTaken = false;
  const socket = await openCommand(async ({ begin, stdout }) => {
    await begin();
    await new Promise<void>((resolve) => void stdout.write(output, () => resolve()));
    isTaken = true;
    return 0;
  });
  socket.pause();
  await new Promise((resolve) => void setTimeout(resolve, 200));
  expect(isTaken).toBe(false);

  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const [accepted, exit] = [encodeFrame('accepted').byteLength, encodeFrame('exit', Uint8Array.of(0)).byteLength];
  let longest = 0;
  for (let place = accepted; place < all.byteLength - exit;) {
    const length = all.readUInt32BE(place + 1);
    longest = Math.max(longest, length);
    place += 5 + length;
  }
  expect(longest).toBeLessThanOrEqual(65_536);
  const read = [...new FrameReader().read(all)].flatMap(({ kind, bytes }) => (kind === 'out' ? [bytes] : []));
  expect(Buffer.concat(read).equals(output)).toBe(true);
});

it.skipIf(process.platform === 'win32')('fails a write once the reader has gone', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const socket = await openCommand(async ({ begin, stdout }) => {
    await begin();
    stdout.on('error', () => {});
    stdout.write(Buffer.alloc(8_000_000), resolve);
    await promise;
    return 0;
  });
  socket.once('data', () => socket.destroy());
  expect(await promise).toMatchObject({ code: 'EPIPE' });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { markAsProfile } from '../../support/listen-for-pipes.ts';
import { gatewaySocket, openPipeGateway } from '../../support/pipe-gateway.ts';
import { everyPipeKind, startPipe } from '../../support/pipe-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A pipe that connects by a port, which may be anyone's. */

const kinds = everyPipeKind.filter(({ isByPort }) => isByPort);
const knock = 'a'.repeat(64);
const answer = 'b'.repeat(64);
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };

function keepEndpoint(folder: string, text: string): void {
  mkdirSync(path.join(folder, 'run'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, 'run', 'endpoint.json'), text, { mode: 0o600 });
}

/** What an unknown process at the port of a lost gateway may respond to a pipe. */
const imposters: Readonly<Record<string, (line: string) => string>> = {
  'something else': () => `{"postern":1,"answer":"${'c'.repeat(64)}"}\n`,
  'an echo': (line) => line,
  'too little': () => '{"postern":1}\n',
  nothing: () => '',
};

it.for(kinds)(
  'the $name pipe reveals nothing about its app to an unknown process at the port (GW-67)',
  async (pipe, context) => {
    if (pipe.missing !== undefined) context.skip(pipe.missing);
    const attempts = Object.entries(imposters).map(async ([name, say]) => {
      const received = new Set<string>();
      const server = createServer((socket: Socket) => {
        socket.on('error', () => {});
        socket.on('data', (part: Buffer) => {
          received.add(part.toString());
          socket.write(say(part.toString()));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      afterTest(() => server.close());
      const folder = temporaryFolder();
      const { port } = server.address() as AddressInfo;
      keepEndpoint(folder, JSON.stringify({ loopback: { port, knock, answer } }));
      const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
      app.send(initialize);
      const { error } = (await app.next()) as { error: { data: { code: string } } };
      return { name, code: error.data.code, received: [...received] };
    });
    expect(await Promise.all(attempts)).toEqual(
      Object.keys(imposters).map((name) => ({
        name,
        code: 'GATEWAY_UNREACHABLE',
        received: [`{"postern":1,"knock":"${knock}"}\n`],
      })),
    );
  },
);

it.for(
  kinds.flatMap((pipe) =>
    [
      'not JSON',
      '{}',
      '{"loopback":{"port":"x"}}',
      `{"loopback":{"port":65536,"knock":"${knock}","answer":"${answer}"}}`,
      `{"loopback":{"port":1,"knock":"","answer":""}}`,
      `{"loopback":{"port":1,"knock":"${knock}\\","answer":"${answer}"}}`,
      'x'.repeat(100_000),
    ].map((text) => ({ pipe, text, name: text.slice(0, 30) })),
  ),
)('a pipe waits if the port file says $name, and finds the gateway that comes', async ({ pipe, text }, context) => {
  if (pipe.missing !== undefined) context.skip(pipe.missing);
  const folder = temporaryFolder();
  markAsProfile(folder);
  keepEndpoint(folder, text);
  const app = startPipe(pipe, ['--profile-folder', folder, 'notes']);
  app.send(initialize);
  const gateway = await openPipeGateway(gatewaySocket(folder), ({ id }, connection) =>
    connection.send({ jsonrpc: '2.0', id, result: {} }),
  );
  expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect(await (await gateway.nextConnection()).hello).toMatchObject({ open: { server: 'notes' } });
});

import { createConnection, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { gatewaySocket } from '../../support/pipe-gateway.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, startWireServer } from '../../support/wire-server.ts';

/** A pipe that speaks other lines than the gateway: an entry that an older or newer Postern has left. */

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));
const sentence = expect.stringMatching(/another version of Postern.*restart the program/iu) as unknown;

/**
 * Makes the pipe's first line that of another version, and passes all else on. Answers the profile folder that it
 * serves.
 */
async function relayOtherVersion(gateway: string): Promise<string> {
  const folder = temporaryFolder();
  const relay = createServer((pipe) => {
    const up = createConnection(gateway);
    for (const socket of [pipe, up]) socket.on('error', () => {});
    pipe.once('data', (chunk) => {
      up.write(String(chunk).replace(/^\{"postern":1,/u, '{"postern":2,'));
      pipe.pipe(up);
    });
    up.pipe(pipe);
    afterTest(() => void [pipe.destroy(), up.destroy()]);
  });
  await new Promise<void>((resolve) => relay.listen(gatewaySocket(folder), resolve));
  afterTest(() => void relay.close());
  return folder;
}

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)('of another version passes on that the program has to be restarted', async () => {
    const server = await startWireServer('legacy', [{ name: 'add', inputSchema }]);
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const before = server.came.length;
    const folder = await relayOtherVersion(served.socket);
    const program = startPipe(pipe, ['--profile-folder', folder, integration.id]);
    program.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const data = { code: 'PIPE_OUTDATED', nextStep: expect.stringMatching(/restart/iu) as unknown };
    expect(await program.next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: sentence, data } });
    program.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'add' } });
    expect(await program.next()).toMatchObject({
      id: 2,
      result: { isError: true, content: [{ type: 'text', text: sentence }] },
    });
    expect(server.came).toHaveLength(before);
  });
});

import { createConnection, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { gatewaySocket } from '../../support/pipe-gateway.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, startRawServer } from '../../support/raw-mcp-server.ts';

/** A pipe that speaks another protocol version than the gateway: an entry from an older or newer Postern. */

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));
const sentence = expect.stringMatching(/another version of Postern.*restart the app/iu) as unknown;

/**
 * Rewrites the pipe's first line to another version, and passes everything else on. Returns the profile folder it
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
  it.skipIf(pipe.missing)('of another version reports that the app has to be restarted', async () => {
    const server = await startRawServer('session', [{ name: 'add', inputSchema }]);
    const engine = createTestEngine();
    const { integration } = await engine.connect(server.url, { local: true });
    const served = await serveGateway(engine, { allowUnknown: true });
    const before = server.received.length;
    const folder = await relayOtherVersion(served.socket);
    const app = startPipe(pipe, ['--profile-folder', folder, integration.id]);
    app.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const data = { code: 'PIPE_OUTDATED', nextStep: expect.stringMatching(/restart/iu) as unknown };
    expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: sentence, data } });
    app.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'add' } });
    expect(await app.next()).toMatchObject({
      id: 2,
      result: { isError: true, content: [{ type: 'text', text: sentence }] },
    });
    expect(server.received).toHaveLength(before);
  });
});

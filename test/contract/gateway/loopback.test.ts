import { existsSync, readFileSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openGateway } from '../../../main/host/gateway/open-gateway.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { startPair } from '../../support/demo-pair.ts';
import { everyPipeKind, startPipe } from '../../support/pipe-process.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** The gateway as on Windows, with the native Windows pipe. */

const pipes = everyPipeKind.filter(({ isByPort }) => isByPort);
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'an app', version: '1' } },
};

it.for(pipes)(
  'a gateway with a port publishes new connection details for pipes in a private file at each start ($name)',
  async (pipe, context) => {
    if (pipe.missing !== undefined) context.skip(pipe.missing);
    const { mcp } = await startPair();
    const { folder, ports, ...engine } = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { local: true });
    const { apps, collections } = openIntegrationStore({ folder, locks: ports.locks });
    const file = path.join(folder, 'run', 'endpoint.json');
    const open = () =>
      openGateway({
        ports,
        apps,
        collections,
        folder,
        allowUnknown: true,
        command: 'postern',
        observer: { user: {} },
        kind: 'serve',
        hasLoopback: true,
      });
    const first = await open();
    const { loopback } = JSON.parse(readFileSync(file, 'utf8')) as { loopback: { port: number; knock: string } };
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const app = startPipe(pipe, ['--profile-folder', folder, integration.id]);
    // Windows apps end lines with CRLF.
    app.send(`${JSON.stringify(initialize)}\r\n`);
    expect(await app.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    await first.close(0);
    expect(existsSync(file)).toBe(false);
    const isTaken = await new Promise((resolve) => {
      const socket = createConnection(loopback.port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    expect(isTaken).toBe(false);
    const second = await open();
    onTestFinished(() => second.close(0));
    expect(readFileSync(file, 'utf8')).not.toContain(loopback.knock);
    app.send('{"jsonrpc":"2.0","id":2,"method":"ping"}\r\n');
    expect(await app.next()).toMatchObject({ id: 2, result: {} });
  },
);

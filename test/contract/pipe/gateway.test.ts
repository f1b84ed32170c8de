import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { afterTest } from '../../support/after-test.ts';
import { startPair } from '../../support/demo-pair.ts';
import { everyPipeKind } from '../../support/pipe-process.ts';
import { posternCommand, runPostern } from '../../support/postern-process.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { startRawServer } from '../../support/raw-mcp-server.ts';

/** The official client, a pipe, the gateway and a server. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

async function connect([command = '', ...args]: readonly string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'an app', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  afterTest(() => client.close());
  return client;
}

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)('connects an app to its server, also through a restart of the gateway', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { local: true });
    const first = await serveGateway(engine);
    const record = await first.allow(integration);
    const client = await connect([
      ...pipe.command,
      ...['--profile-folder', engine.folder, integration.alias ?? integration.id, '--app', record],
    ]);
    expect(JSON.stringify(await client.callTool({ name: 'whoami' }))).toContain('You are ');
    await first.close();
    const waiting = client.callTool({ name: 'whoami' });
    await serveGateway(engine);
    expect(JSON.stringify(await waiting)).toContain('You are ');
  });
});

describe.skipIf(process.platform === 'win32')('postern proxy', () => {
  /** Kills the processes of this profile, identified by its folder name. */
  const endServices = (home: string): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
      try {
        const own = readFileSync(path.join('/proc', pid, 'environ'), 'utf8').split('\0');
        if (own.includes(`POSTERN_HOME=${home}`)) process.kill(Number(pid), 'SIGKILL');
      } catch {
        // Another's, or gone.
      }
    }
  };

  it.skipIf(process.platform !== 'linux')(
    'starts the service automatically, and accepts a URL for a server',
    async () => {
      const { mcp } = await startPair();
      const home = temporaryFolder();
      afterTest(() => endServices(home));
      expect(await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home })).toMatchObject({ code: 0 });
      const words = ['proxy', '--profile-folder', home, mcp.url];
      const env = { DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '' };
      // It has no access: the response comes from the service that was started.
      await expect(connect(posternCommand(...words), env)).rejects.toThrow(/allowed/u);
    },
  );

  it('answers what a script has piped in, even if its input ends with the last request', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { local: true });
    const record = await (await serveGateway(engine)).allow(integration);
    const clientInfo = { name: 'a script', version: '1' };
    const stdin = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } },
    ]
      .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
      .join('\n');
    const words = ['proxy', '--profile-folder', engine.folder, integration.id, '--app', record];
    const { code, lines } = await runPostern(words, { home: engine.folder, stdin });
    expect(code).toBe(0);
    expect(lines).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(JSON.stringify(lines.at(-1))).toContain('You are ');
  });

  it.each(['allowed', 'unknown'])(
    'reports to an %s app what is no message before it ends (JSON-RPC 2.0, 5)',
    async (app) => {
      const server = await startRawServer('session', []);
      const engine = createTestEngine();
      const { integration } = await engine.connect(server.url, { local: true });
      const record = await (await serveGateway(engine)).allow(integration);
      const stdin = 'garbage\n[{"jsonrpc":"2.0","id":1,"method":"ping"}]';
      const known = app === 'allowed' ? ['--app', record] : [];
      const words = ['proxy', '--profile-folder', engine.folder, integration.id, ...known];
      const { code, lines } = await runPostern(words, { home: engine.folder, stdin });
      expect(code).toBe(0);
      expect(lines).toMatchObject([
        { id: null, error: { code: -32_700 } },
        { id: null, error: { code: -32_600 } },
      ]);
    },
  );

  it('prints its help', async () => {
    const { code, stdout } = await runPostern(['proxy', '--help'], { home: temporaryFolder() });
    expect(code).toBe(0);
    expect(stdout).toContain('--profile-folder DIR');
  });
});

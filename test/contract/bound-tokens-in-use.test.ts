import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { loadTokens } from '../../main/engine/records/stored-secrets.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import type { McpServerOptions } from '../demo/mcp-server-options.ts';
import { afterTest } from '../support/after-test.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { DemoPair } from '../support/demo-pair.ts';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { pipeKinds } from '../support/pipe-process.ts';
import { runPostern } from '../support/postern-process.ts';
import { failureOf, proveConnection } from '../support/prove-connection.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Tokens that are bound to a key (RFC 9449), everywhere they are used. */

const taking: McpServerOptions = { dpop: { scheme: 'only', nonces: 'each' } };

const withToken = ({ mcp }: DemoPair) => mcp.requests.filter(({ headers }) => headers.authorization !== undefined);

/** Only requests with a proof, all accepted except the first one without the server's nonce. */
function expectProven(pair: DemoPair, mostRefused: number): void {
  const sent = withToken(pair);
  expect(new Set(sent.map(({ headers }) => headers.authorization?.split(' ')[0]))).toEqual(new Set(['DPoP']));
  expect(sent.every(({ headers }) => headers['dpop'] !== undefined)).toBe(true);
  expect(sent.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(mostRefused);
}

async function useAll(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  expect(JSON.stringify(await client.callTool({ name: 'whoami' }))).toContain('You are ');
}

async function openGateway() {
  const pair = await startPair({ dpop: 'offered' }, { ...taking, protocols: 'session' });
  const engine = createTestEngine();
  const { integration } = await engine.connect(pair.mcp.url);
  return { pair, engine, integration, served: await serveGateway(engine) };
}

describe('an app without its own key', () => {
  it.skipIf(process.platform === 'win32').for(pipeKinds)(
    'uses bound tokens through the pipe ($name)',
    async (pipe, { skip }) => {
      if (pipe.missing) skip(pipe.missing);
      const { pair, engine, integration, served } = await openGateway();
      const record = await served.allow(integration);
      const [command = '', ...words] = pipe.command;
      const args = [...words, '--profile-folder', engine.folder, integration.alias ?? '', '--app', record];
      const client = new Client({ name: 'a program', version: '1' });
      await client.connect(new StdioClientTransport({ command, args, env: {}, stderr: 'ignore' }));
      await useAll(client);
      await client.close();
      await served.close();
      expectProven(pair, 0);
    },
  );

  it('uses bound tokens over HTTP, and sees neither token nor proof', async () => {
    const { pair, engine, integration, served } = await openGateway();
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { port } = await openHttpEndpoint(served);
    const alias = (await engine.ports.store.read(integration.id))?.alias;
    const client = new Client({ name: 'a program', version: '1' });
    const seen: string[] = [];
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp/${alias}`), {
        requestInit: { headers: { authorization } },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          seen.push(JSON.stringify([...response.headers]));
          return response;
        },
      }),
    );
    afterTest(() => client.close());
    await useAll(client);
    expectProven(pair, 0);
    expect(seen.join('')).not.toMatch(/dpop/iu);
  });
});

describe('several processes', () => {
  it('use and refresh bound tokens with one shared key, on the command line', async () => {
    const rejected = new Set<string>();
    const pair = await startPair({ dpop: 'nonces' }, { ...taking, reject: (token) => rejected.has(token) });
    const home = temporaryFolder();
    const run = (...args: string[]) => runPostern([...args, '--json'], { home });
    expect(await run('connect', pair.mcp.url, '--local', '--name', 'Notes')).toMatchObject({ code: 0 });
    rejected.add(withToken(pair).findLast(({ status }) => status === 200)?.token ?? '');
    const calls = Array.from({ length: 3 }, () => run('call', 'Notes', 'whoami'));
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual([0, 0, 0]);
    const refreshes = requestsTo(pair.as, '/token').filter(({ body }) => body?.['grant_type'] === 'refresh_token');
    // One, and a retry with the nonce that its process did not know.
    expect(refreshes.map(({ status }) => status)).toEqual([400, 200]);
    expectProven(pair, Number.POSITIVE_INFINITY);
  });
});

describe('a user', () => {
  it('sees that the sign-in is bound, and that its token is useless elsewhere', async () => {
    const pair = await startPair({ dpop: 'offered' }, taking);
    const home = temporaryFolder();
    await runInProcess(['connect', pair.mcp.url, '--local', '--name', 'Notes'], { home });
    const shown = await runInProcess(['show', 'Notes'], { home });
    expect(shown.stdout).toMatch(/key .*DPoP/u);
    const token = await runInProcess(['token', 'Notes'], { home });
    expect(token.stderr).toMatch(/No other program/u);
    expect(await runInProcess(['token', 'Notes', '--json'], { home })).toMatchObject({ last: { tokenType: 'DPoP' } });
    const used = await fetch(pair.mcp.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.stdout.trim()}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(used.status).toBe(401);
  });
});

describe('the key', () => {
  it('is only in the vault: in no file, message, report, export, trace or error (DP-08)', async () => {
    let isBroken = false;
    const { mcp } = await startPair(
      {
        dpop: 'offered',
        intercept: ({ url }, response) => {
          if (!isBroken || url !== '/token') return false;
          response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_dpop_proof"}');
          return true;
        },
      },
      taking,
    );
    const desktop = await createTestDesktop({ onPage: (url) => void completeSignIn(url).catch(() => {}) });
    const attempt = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    await desktop.connection(attempt.id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id: attempt.id });
    const view = await desktop.connection(attempt.id, (seen) => ticketOf(seen) !== undefined);
    const { integrationId: id } = await desktop.call('connection:install', { ticketId: ticketOf(view) ?? '' });
    await desktop.waitFor(({ integrations }) => integrations?.find((one) => one.id === id && one.boundToKey === true));
    await desktop.call('integration:tools', { id });
    await desktop.call('list:export', {});
    await desktop.call('desktop:copy', { kind: 'report', id });
    const { engine } = desktop;
    isBroken = true;
    const refused = await desktop.callFailing('integration:refresh', { id });
    const failed = await failureOf(createTestEngine().connect(mcp.url));

    const { issuerKey = '' } = (await engine.ports.store.read(id)) ?? {};
    const tokens = await loadTokens(engine.vault, id, issuerKey);
    const { d = '' } = tokens?.binding?.key.store() ?? {};
    expect(d).toHaveLength(43);
    const files = readdirSync(engine.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
    const output = [
      ...files,
      ...desktop.messages,
      ...desktop.copied,
      ...desktop.saved.map(({ content }) => content.toString('latin1')),
      JSON.stringify([refused, engine.events, engine.sent, tokens]),
      inspect([failed, tokens], { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    ];
    expect(files.join('')).toContain(mcp.url);
    expect(output.filter((text) => text.includes(d))).toEqual([]);
  });

  it('is deleted with the sign-in: nothing remains after a sign-out', async () => {
    const { mcp } = await startPair({ dpop: 'offered' }, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    await signOut(engine.ports, integration, new AbortController().signal);
    expect((await engine.vault.keysOf(integration.id)).map(({ kind }) => kind)).not.toContain('tokens');
  });
});

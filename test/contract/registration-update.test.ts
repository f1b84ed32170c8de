import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadCredentials, loadRegistration } from '../../main/engine/records/stored-secrets.ts';
import { removeIntegration } from '../../main/engine/removal/remove-integration.ts';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import { reauthenticate } from '../../main/engine/sign-in/reauthenticate.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { DemoPair } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { proveConnection, proveUse } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/** A changed callback is sent to the service with an update of our registration (RFC 7592 section 2.2). */

const managed: AuthorizationServerOptions = { rotateRegistrationTokens: true };

const updatesAt = ({ as }: DemoPair) => as.requests.filter(({ method }) => method === 'PUT');

async function otherPort({ ports }: TestEngine): Promise<number> {
  const callbackPort = await freePort();
  await ports.store.updateSettings((settings) => ({ ...settings, callbackPort }));
  return callbackPort;
}

describe('a changed callback', () => {
  it('is sent to the service, and the same client signs in with it, even if it is shared', async () => {
    const pair = await startPair(managed);
    const engine = createTestEngine();
    const { integration: first } = await proveConnection(engine, pair.mcp.url);
    const port = await otherPort(engine);
    const { integration: second } = await proveConnection(engine, pair.mcp.url);
    const redirectUri = callbackUrl({ host: '127.0.0.1', port });
    expect(second.redirectUri).toBe(redirectUri);
    expect(requestsTo(pair.as, '/register')).toHaveLength(1);
    expect(updatesAt(pair)).toMatchObject([{ status: 200, body: { redirect_uris: [redirectUri] } }]);
    const { issuerKey = '' } = second;
    expect(await engine.read(first)).toMatchObject({ redirectUri });
    const ids = await Promise.all(
      [first, second].map(async ({ id }) => (await loadCredentials(engine.vault, id, issuerKey))?.clientId),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await loadRegistration(engine.vault, first.redirectUri ?? '', issuerKey)).toBeUndefined();
    await proveUse(engine, first);
  });

  it('is sent with the token from the last update, and so is the removal', async () => {
    const pair = await startPair(managed);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const { signal } = new AbortController();
    for (const _ of [1, 2]) {
      await otherPort(engine);
      await reauthenticate(
        engine.ports,
        await engine.read(integration),
        { surface: 'test' },
        engine.interaction,
        signal,
      );
    }
    expect(updatesAt(pair).map(({ status }) => status)).toEqual([200, 200]);
    const tokens = updatesAt(pair).map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(2);
    const removed = await removeIntegration(engine.ports, await engine.read(integration), signal);
    expect(removed.registration).toBe('deleted');
    expect(requestsTo(pair.as, '/register')).toHaveLength(1);
  });

  it('does not change a registration that another server still uses', async () => {
    const pair = await startPair(managed);
    const engine = createTestEngine();
    const { integration: first } = await proveConnection(engine, pair.mcp.url);
    await proveConnection(engine, pair.mcp.url, { callbackHost: 'localhost' });
    expect(requestsTo(pair.as, '/register')).toHaveLength(2);
    expect(updatesAt(pair)).toEqual([]);
    expect(await loadRegistration(engine.vault, first.redirectUri ?? '', first.issuerKey ?? '')).toBeDefined();
  });

  it.each([403, 405, 500])('is registered again if the service responds %i', async (refusal) => {
    const pair = await startPair({
      intercept: ({ method }, response) => {
        if (method === 'PUT') response.writeHead(refusal).end();
        return method === 'PUT';
      },
    });
    const engine = createTestEngine();
    await proveConnection(engine, pair.mcp.url);
    await otherPort(engine);
    await proveConnection(engine, pair.mcp.url);
    expect(updatesAt(pair)).toHaveLength(1);
    expect(requestsTo(pair.as, '/register')).toHaveLength(2);
  });

  it('is sent to no other origin, though the service names it (RG-15)', async () => {
    const requests: string[] = [];
    const elsewhere = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(200).end('{}');
    });
    onTestFinished(() => void elsewhere.close());
    const { origin } = await listenOnLoopback(elsewhere);
    const pair = await startPair({
      answer: (route, response) =>
        route === 'registration'
          ? { ...response, body: { ...(response.body as object), registration_client_uri: `${origin}/c/1` } }
          : response,
    });
    const engine = createTestEngine();
    await proveConnection(engine, pair.mcp.url);
    await otherPort(engine);
    await proveConnection(engine, pair.mcp.url);
    expect(requests).toEqual([]);
    expect(requestsTo(pair.as, '/register')).toHaveLength(2);
  });

  it('is sent by the real command', async () => {
    const pair = await startPair(managed);
    const home = temporaryFolder();
    const run = async (...words: string[]) => (await runInProcess([...words, '--json'], { home })).code;
    expect(await run('connect', pair.mcp.url, '--local')).toBe(0);
    expect(await run('settings', 'callbackHost', 'localhost')).toBe(0);
    expect(await run('connect', pair.mcp.url, '--local')).toBe(0);
    expect(updatesAt(pair)).toMatchObject([{ status: 200 }]);
    expect(requestsTo(pair.as, '/register')).toHaveLength(1);
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { loadCredentials, loadRegistration, loadTokens } from '../../main/engine/records/stored-secrets.ts';
import { deleteEverything } from '../../main/engine/removal/delete-everything.ts';
import { finishDeletions, completedDeletions, notifyServices } from '../../main/engine/removal/finish-deletions.ts';
import { beginDeletions, undoDeletions } from '../../main/engine/removal/pending-deletions.ts';
import { removeIntegration, sweepOrphans } from '../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { RefreshScheduler } from '../../main/engine/refresh/refresh-scheduler.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { Integration } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { DemoPair } from '../support/demo-pair.ts';
import { createMemoryStoredData } from '../support/memory-stored-data.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { startRotatingServer } from '../support/rotating-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

const { signal } = new AbortController();

interface Stored {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly registrationUri: string;
  readonly registrationToken: string;
}

/** What the vault contains now, to try it at the servers afterwards. */
async function readStored(
  { vault }: TestEngine,
  { id, issuerKey: issuer = '', redirectUri = '' }: Integration,
): Promise<Stored> {
  const tokens = await loadTokens(vault, id, issuer);
  const registration = await loadRegistration(vault, redirectUri, issuer);
  return {
    accessToken: tokens?.accessToken.reveal() ?? '',
    refreshToken: tokens?.refreshToken?.reveal() ?? '',
    registrationUri: registration?.registrationClientUri ?? '',
    registrationToken: registration?.registrationAccessToken?.reveal() ?? '',
  };
}

/** RFC 7662, sent as the resource server does. */
async function isActive({ as }: DemoPair, token: string): Promise<boolean> {
  const { endpoint, clientId, clientSecret } = as.introspection;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  const { active } = (await response.json()) as { active: unknown };
  return active === true;
}

async function readRegistration({ registrationUri, registrationToken }: Stored): Promise<number> {
  const response = await fetch(registrationUri, { headers: { authorization: `Bearer ${registrationToken}` } });
  return response.status;
}

/** Makes one endpoint fail from now on. */
function closable(path: string) {
  const state = { closed: false };
  return {
    state,
    intercept: (request: IncomingMessage, response: ServerResponse): boolean => {
      if (!state.closed || request.url?.startsWith(path) !== true) return false;
      response.writeHead(503).end();
      return true;
    },
  };
}

/** Signed in, and then connected again while the server requires no sign-in. */
async function becomeOpen() {
  let isOpen = false;
  const server = await startRotatingServer({ isOpen: () => isOpen });
  onTestFinished(() => server.close());
  const engine = createTestEngine({ user: async ({ url }) => void (await fetch(url)) });
  const { integration: before } = await engine.connect(server.url);
  const { url, options } = before;
  const reconnect = async (): Promise<Integration> => {
    const existing = await engine.read(before);
    return (await connectServer(engine.ports, { url, options, existing, surface: 'test' }, engine.interaction, signal))
      .integration;
  };
  isOpen = true;
  const open = await reconnect();
  expect(open).toMatchObject({ method: 'NoAuth', state: 'integrated' });
  const tokens = async () => await loadTokens(engine.vault, before.id, before.issuerKey ?? '');
  return { server, engine, before, open, tokens, reconnect, close: () => void (isOpen = false) };
}

describe('a server that has become open', () => {
  it('keeps the stored tokens, and gets none of them', async () => {
    const { engine, server, open, tokens } = await becomeOpen();
    expect(await tokens()).toBeDefined();
    expect(server.revoked.size).toBe(0);
    const before = engine.sent.length;
    expect(await engine.tools(open)).toEqual(['nothing']);
    const later = engine.sent.slice(before);
    expect(later.filter(({ headers }) => headers && 'authorization' in headers)).toEqual([]);
    expect(later.map(({ purpose }) => purpose)).not.toContain('refresh');
    const states: unknown[] = [];
    const scheduler = new RefreshScheduler(engine.ports, (_, status) => states.push(status));
    await scheduler.review();
    await scheduler.stop();
    expect(states.filter((status) => status !== undefined)).toEqual([]);
  });

  it('is signed out of as before: the tokens are revoked, and it is used without them', async () => {
    const { engine, server, open, tokens } = await becomeOpen();
    const { revocation, integration } = await signOut(engine.ports, open, signal);
    expect(revocation).toBe('revoked');
    expect(server.revoked.size).toBe(1);
    expect(await tokens()).toBeUndefined();
    expect(integration).toMatchObject({ method: 'NoAuth', state: 'integrated' });
    expect(await engine.tools(integration)).toEqual(['nothing']);
    expect((await signOut(engine.ports, integration, signal)).revocation).toBe('nothing-to-revoke');
  });

  it('is signed out of in a window as in a command: its tokens are revoked after the undo period', async () => {
    const { engine, server, open, tokens } = await becomeOpen();
    const { ports } = engine;
    const deletion = await beginDeletions(ports, [open.id], 'signOut');
    const finished = await finishDeletions({ ...ports, apps: { change: async (work) => work([]) } }, deletion);
    const outcome = await notifyServices(ports, completedDeletions(deletion, finished), signal);
    expect(outcome).toMatchObject([{ revocation: 'revoked' }]);
    expect(server.revoked.size).toBe(1);
    expect(await tokens()).toBeUndefined();
  });

  it('gets its sign-in back once a sign-out is undone, so that the next one revokes it', async () => {
    const { engine, server, open, tokens } = await becomeOpen();
    const [deletion] = await beginDeletions(engine.ports, [open.id], 'signOut');
    expect(await undoDeletions(engine.ports, deletion?.batch ?? '')).toMatchObject({ servers: [open.id] });
    const back = await engine.read(open);
    expect(back).toEqual(open);
    await sweepOrphans(engine.ports);
    expect(await tokens()).toBeDefined();
    expect((await signOut(engine.ports, back, signal)).revocation).toBe('revoked');
    expect(server.revoked.size).toBe(1);
  });

  it('has its tokens revoked when everything is deleted while a sign-out can be undone', async () => {
    const { engine, server, open } = await becomeOpen();
    await beginDeletions(engine.ports, [open.id], 'signOut');
    const deleted = await deleteEverything(engine.ports, createMemoryStoredData(), { signal });
    expect(deleted).toMatchObject({ integrations: 1, revocations: { revoked: 1 } });
    expect(server.revoked.size).toBe(1);
  });

  it('has its tokens deleted when it is removed', async () => {
    const { engine, server, open } = await becomeOpen();
    expect(await removeIntegration(engine.ports, open, signal)).toMatchObject({ revocation: 'revoked' });
    expect(server.revoked.size).toBe(1);
    expect(await engine.vault.keysOf(open.id)).toEqual([]);
  });

  it('gets new tokens in place of the stored ones once it requires a sign-in again', async () => {
    const { engine, before, tokens, reconnect, close } = await becomeOpen();
    const stored = (await tokens())?.accessToken.reveal();
    close();
    expect(await reconnect()).toMatchObject({ method: before.method, state: 'integrated' });
    expect((await tokens())?.accessToken.reveal()).not.toBe(stored);
    expect(await engine.tools(await engine.read(before))).toEqual(['nothing']);
  });
});

describe('sign-out', () => {
  it('revokes both tokens at the authorization server, the refresh token first (RFC 7009 2.1)', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const stored = await readStored(engine, integration);
    expect(await isActive(pair, stored.accessToken)).toBe(true);

    const signedOut = await signOut(engine.ports, integration, signal);
    expect(signedOut).toMatchObject({ revocation: 'revoked', integration: { state: 'signedOut' } });
    expect(signedOut.integration.expiresAt).toBeUndefined();
    expect(await isActive(pair, stored.accessToken)).toBe(false);
    expect(await isActive(pair, stored.refreshToken)).toBe(false);
    const hints = requestsTo(pair.as, '/revoke').map(({ body }) => body?.['token_type_hint']);
    expect(hints).toEqual(['refresh_token', 'access_token']);
    expect(await engine.vault.keysOf(integration.id)).toMatchObject([{ kind: 'credentials' }]);
    expect(await failureOf(engine.tools(signedOut.integration))).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  });

  it('keeps entry and client, so that signing in again needs no new registration', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const signedOut = await signOut(engine.ports, integration, signal);
    expect(await engine.tools(signedOut.integration, { signIn: true })).toContain('whoami');
    expect(requestsTo(pair.as, '/register')).toHaveLength(1);
    expect(await engine.read(integration)).toMatchObject({ id: integration.id, state: 'integrated' });
  });

  it('deletes locally whatever becomes of the revocation, and reports it', async () => {
    const { state, intercept } = closable('/revoke');
    const pair = await startPair({ intercept });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    state.closed = true;
    expect(await signOut(engine.ports, integration, signal)).toMatchObject({ revocation: 'failed' });
    expect(await loadTokens(engine.vault, integration.id, integration.issuerKey ?? '')).toBeUndefined();
    expect(await engine.read(integration)).toMatchObject({ state: 'signedOut' });
  });

  it('deletes locally before it revokes', async () => {
    const seen: boolean[] = [];
    const engine = createTestEngine();
    const pair = await startPair({
      intercept: async ({ url }) => {
        if (url !== '/revoke') return false;
        const [integration] = await engine.ports.store.list();
        const keys = await engine.vault.keysOf(integration?.id ?? '');
        seen.push(keys.length > 0 && keys.every(({ kind }) => kind !== 'tokens'));
        return false;
      },
    });
    const { integration } = await proveConnection(engine, pair.mcp.url);
    await signOut(engine.ports, integration, signal);
    expect(seen).toEqual([true, true]);
  });

  it('works offline: everything local is gone, and the result says that the service was not notified', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    await pair.as.close();
    await pair.mcp.close();
    expect(await signOut(engine.ports, integration, signal)).toMatchObject({ revocation: 'failed' });
    expect(await loadTokens(engine.vault, integration.id, integration.issuerKey ?? '')).toBeUndefined();
  });

  it('reports that a service supports no revocation (RFC 8414 2)', async () => {
    const pair = await startPair({ metadata: ({ revocation_endpoint: _gone, ...document }) => document });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    expect(await signOut(engine.ports, integration, signal)).toMatchObject({ revocation: 'not-offered' });
    expect(requestsTo(pair.as, '/revoke')).toEqual([]);
  });

  describe('by a command', () => {
    async function open() {
      const pair = await startPair();
      const home = temporaryFolder();
      const run = (...words: string[]) => runInProcess([...words, '--json'], { home });
      expect(await run('connect', pair.mcp.url, '--local', '--name', 'Notes')).toMatchObject({ code: 0 });
      const { ports, close } = openProfileEngine(home);
      onTestFinished(close);
      const [integration] = await ports.store.list();
      if (!integration) throw new Error('It is not there.');
      return { run, ports, integration };
    }
    const done = { code: 0, last: { revocation: 'revoked', integration: { state: 'signedOut' } } };

    it('continues one that has failed halfway', async () => {
      const { run, ports, integration } = await open();
      const locked = new PosternError('KC_LOCKED', { stage: 'storage' });
      const halfway = signOut({ ...ports, vault: () => Promise.reject(locked) }, integration, signal);
      await expect(halfway).rejects.toBe(locked);
      expect(await ports.store.read(integration.id)).toMatchObject({ state: 'signedOut' });
      expect(await run('sign-out', 'Notes')).toMatchObject(done);
    });

    it('ends the undo of one in a window', async () => {
      const { run, ports, integration } = await open();
      const [deletion] = await beginDeletions(ports, [integration.id], 'signOut');
      expect(await run('sign-out', 'Notes')).toMatchObject(done);
      expect(await ports.store.pendingDeletions()).toEqual([]);
      expect((await undoDeletions(ports, deletion?.batch ?? '')).servers).toEqual([]);
    });
  });
});

describe('removal', () => {
  it('revokes the tokens and deletes our registration (RFC 7592 2.3)', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const stored = await readStored(engine, integration);
    expect(await readRegistration(stored)).toBe(200);

    expect(await removeIntegration(engine.ports, integration, signal)).toMatchObject({
      revocation: 'revoked',
      registration: 'deleted',
    });
    expect(await isActive(pair, stored.accessToken)).toBe(false);
    expect(await isActive(pair, stored.refreshToken)).toBe(false);
    expect(await readRegistration(stored)).toBe(401);
    expect(await engine.ports.store.list()).toEqual([]);
    expect(await engine.vault.keysOf(integration.id)).toEqual([]);
    expect(await engine.vault.keysOf(integration.redirectUri ?? '')).toEqual([]);
  });

  it('keeps the registration for another account that signs in with it, and deletes it with the last one (RG-12)', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const first = await proveConnection(engine, pair.mcp.url);
    const second = await proveConnection(engine, pair.mcp.url);
    expect(requestsTo(pair.as, '/register')).toHaveLength(1);

    expect(await removeIntegration(engine.ports, first.integration, signal)).toMatchObject({
      registration: 'nothing-to-delete',
    });
    await proveUse(engine, second.integration);
    expect(await removeIntegration(engine.ports, second.integration, signal)).toMatchObject({
      registration: 'deleted',
    });
  });

  it('removes everything locally when the service is down, and reports what could not be done', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    await pair.as.close();
    expect(await removeIntegration(engine.ports, integration, signal)).toMatchObject({
      revocation: 'failed',
      registration: 'failed',
    });
    expect(await engine.ports.store.list()).toEqual([]);
    expect(await engine.vault.keysOf(integration.id)).toEqual([]);
    expect(await engine.vault.keysOf(integration.redirectUri ?? '')).toEqual([]);
  });

  it('reports that a registration cannot be deleted if the service provided no means', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const { redirectUri = '', issuerKey: issuer = '' } = integration;
    const [key] = await engine.vault.keysOf(redirectUri);
    if (key === undefined) throw new Error('There is no registration.');
    const { registrationAccessToken: _token, ...without } = (await engine.vault.read(key)) as Record<string, unknown>;
    await engine.vault.write(key, without);
    expect(await removeIntegration(engine.ports, integration, signal)).toMatchObject({ registration: 'not-offered' });
    expect(await loadRegistration(engine.vault, redirectUri, issuer)).toBeUndefined();
  });

  it('removes one that was signed out before, including its registration', async () => {
    const pair = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const { integration: signedOut } = await signOut(engine.ports, integration, signal);
    expect(await removeIntegration(engine.ports, signedOut, signal)).toMatchObject({
      revocation: 'nothing-to-revoke',
      registration: 'deleted',
    });
    expect(await loadCredentials(engine.vault, integration.id, integration.issuerKey ?? '')).toBeUndefined();
  });
});

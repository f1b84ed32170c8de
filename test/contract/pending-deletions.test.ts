import { describe, expect, it, onTestFinished } from 'vitest';
import { connectWithKey } from '../../main/engine/connect/connect-with-key.ts';
import { retainUnsaved, loadTokens } from '../../main/engine/records/stored-secrets.ts';
import { finishDeletions, finishLeftoverDeletions } from '../../main/engine/removal/finish-deletions.ts';
import type { DeletionPorts } from '../../main/engine/removal/finish-deletions.ts';
import { beginDeletions, finishUndo, undoDeletions } from '../../main/engine/removal/pending-deletions.ts';
import { forgetIntegration } from '../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { storedTokens } from '../../main/engine/refresh/access-token.ts';
import { refreshStoredTokens } from '../../main/engine/refresh/refresh-stored-tokens.ts';
import { Secret } from '../../main/secret.ts';
import type { PendingDeletion } from '../../shared/pending-deletion.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { startPair } from '../support/demo-pair.ts';
import { localOptions } from '../support/local-options.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** A sign-out or a removal that can still be undone, and what other processes do to the same server meanwhile. */

const { signal } = new AbortController();
const apps: DeletionPorts['apps'] = { change: async (work) => work([]) };

async function open() {
  const pair = await startPair();
  const engine = createTestEngine();
  const { ports, vault } = engine;
  const { integration } = await engine.connect(pair.mcp.url);
  const { id, issuerKey = '' } = integration;
  const tokens = await loadTokens(vault, id, issuerKey);
  if (!tokens) throw new Error('Nobody is signed in.');
  const begin = async (kind: 'signOut' | 'remove'): Promise<PendingDeletion> => {
    const [deletionId] = await beginDeletions(ports, [id], kind);
    if (!deletionId) throw new Error('It is not there.');
    return deletionId;
  };
  const finish = async (deletion: PendingDeletion) => (await finishDeletions({ ...ports, apps }, [deletion]))[0];
  const kinds = async (): Promise<string[]> => (await vault.keysOf(id)).map(({ kind }) => kind);
  return { pair, engine, ports, vault, integration, tokens, begin, finish, kinds };
}

describe('a deletion that can be undone', () => {
  it.each(['signOut', 'remove'] as const)(
    '(%s) survives a refresh by a process that read the list before',
    async (kind) => {
      const { engine, ports, integration, tokens, begin, finish, kinds } = await open();
      const deletion = await begin(kind);
      const sent = engine.sent.length;
      const refreshed = refreshStoredTokens(ports, integration, tokens, 'requested', signal);
      await expect(refreshed).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
      expect(engine.sent.slice(sent)).toEqual([]);
      expect(await finish(deletion)).toMatchObject({
        kind: 'deleted',
        secrets: { tokens: { issuerKey: integration.issuerKey } },
      });
      expect(await kinds()).not.toContain('tokens');
    },
  );

  it('survives tokens that are stored late', async () => {
    const { ports, vault, integration, tokens, begin, finish, kinds } = await open();
    retainUnsaved(vault, integration.id, { ...tokens, accessToken: new Secret('later') }, tokens);
    const deletion = await begin('signOut');
    await storedTokens(ports, integration);
    expect((await ports.store.read(integration.id))?.state).toBe('signedOut');
    await finish(deletion);
    expect(await kinds()).not.toContain('tokens');
  });

  it('ends when a command signs out', async () => {
    const { ports, integration, begin } = await open();
    const deletion = await begin('signOut');
    expect(await signOut(ports, integration, signal)).toMatchObject({ revocation: 'revoked' });
    expect(await ports.store.pendingDeletions()).toEqual([]);
    expect((await undoDeletions(ports, deletion.batch)).servers).toEqual([]);
    expect((await ports.store.read(integration.id))?.state).toBe('signedOut');
  });

  it('no longer shares a registration that was forgotten', async () => {
    const { pair, engine, ports, integration, begin } = await open();
    const { integration: other } = await engine.connect(pair.mcp.url);
    await begin('remove');
    expect(await forgetIntegration(ports, integration)).toMatchObject({ registration: undefined });
    expect((await forgetIntegration(ports, other)).registration).toBeDefined();
  });

  it('is not undone by a new key for what is being removed', async () => {
    const server = await startMcpServer({});
    onTestFinished(() => server.close());
    const { ports, vault } = createTestEngine();
    const options = { ...localOptions, headerName: 'X-API-Key' };
    const request = { url: server.url, name: undefined, options, takesNameOf: undefined };
    const { integration } = await connectWithKey(
      ports,
      { ...request, existing: undefined, key: new Secret('one') },
      signal,
    );
    const [deletion] = await beginDeletions(ports, [integration.id], 'remove');
    const again = connectWithKey(ports, { ...request, existing: integration, key: new Secret('two') }, signal);
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await ports.store.list()).toEqual([]);
    if (!deletion) throw new Error('It is not there.');
    await finishDeletions({ ...ports, apps }, [deletion]);
    expect(await vault.keysOf(integration.id)).toEqual([]);
  });

  it('does not touch an entry that came back to the list in another way', async () => {
    const { ports, integration, begin, finish, kinds } = await open();
    const deletion = await begin('remove');
    await ports.store.write(integration);
    expect(await finish(deletion)).toEqual({ kind: 'superseded' });
    expect(await kinds()).toContain('tokens');
    expect(await ports.store.pendingDeletions()).toEqual([]);
  });

  it('is undone or finished by the process that writes first', async () => {
    const { ports, integration, begin, finish, kinds } = await open();
    const undone = await begin('remove');
    expect((await undoDeletions(ports, undone.batch)).servers).toEqual([integration.id]);
    expect(await finish(undone)).toEqual({ kind: 'no-longer-pending' });
    expect(await kinds()).toContain('tokens');
    const gone = await begin('remove');
    const [late, finished] = await Promise.all([finish(gone), undoDeletions(ports, gone.batch)]);
    expect(late?.kind === 'deleted').toBe(finished.servers.length === 0);
    expect(await ports.store.list()).toHaveLength(finished.servers.length);
  });

  it('names the changes of app files that are restored with it until they are restored', async () => {
    const { ports, integration, finish } = await open();
    const changes = ['5f0c2a9e41d7', '0123456789ab'];
    const [deletion] = await beginDeletions(ports, [integration.id], 'remove', { changes });
    if (!deletion) throw new Error('It is not there.');
    const restored = { servers: [integration.id], changes };
    expect(await undoDeletions(ports, deletion.batch)).toEqual(restored);
    // A process that exited here has left them to the next.
    expect(await ports.store.list()).toEqual([integration]);
    expect(await ports.store.pendingDeletions()).toMatchObject([{ kind: 'back', changes }]);
    await finishLeftoverDeletions({ ...ports, apps }, () => true, signal);
    expect(await finish(deletion)).toEqual({ kind: 'no-longer-pending' });
    expect(await undoDeletions(ports, deletion.batch)).toEqual({ servers: [], changes });
    await finishUndo(ports, deletion.batch);
    expect(await ports.store.pendingDeletions()).toEqual([]);
  });

  it('keeps its name', async () => {
    const { pair, engine, ports, integration, begin } = await open();
    const deletion = await begin('remove');
    await engine.connect(pair.mcp.url);
    await undoDeletions(ports, deletion.batch);
    const names = (await ports.store.list()).map(({ name }) => name);
    expect(names).toContain(integration.name);
    expect(new Set(names).size).toBe(2);
  });
});

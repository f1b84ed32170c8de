import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { credentialsKey, tokensKey } from '../../main/engine/records/stored-secrets.ts';
import { keychainService } from '../../main/storage/keychain/keychain-service.ts';
import { createKeychain } from '../../main/storage/keychain/keytar-keychain.ts';
import type { Integration } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startResource, startServer } from '../support/demo-pair.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Earlier versions keyed the secrets of typed endpoints by the published issuer, or, where none was published, by the
 * origin of the typed sign-in page.
 */

const client = {
  id: 'typed-client',
  secret: 'typed secret',
  redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
  applicationType: 'native',
} as const;

/** A profile as an earlier version left it, with a typed token endpoint at another path than the published one. */
async function openEarlier(published: boolean) {
  const as = await startServer({
    registration: 'off',
    typedClients: [client],
    ...(published
      ? { metadata: (document) => ({ ...document, token_endpoint: `${String(document['issuer'])}/other-token` }) }
      : { metadataForms: [] }),
  });
  const mcp = await startResource(as);
  const home = temporaryFolder();
  const endpoints = ['--authorization-endpoint', `${as.origin}/authorize`, '--token-endpoint', `${as.origin}/token`];
  const typed = [...endpoints, '--client-id', client.id, '--client-secret-stdin'];
  const connect = () =>
    runInProcess(['connect', mcp.url, '--local', '--name', 'Notes', ...typed, '--json'], {
      home,
      stdin: `${client.secret}\n`,
    });
  expect(await connect()).toMatchObject({ code: 0 });
  await rekey(home, `${as.origin}/token`, published ? as.issuer : as.origin);
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
  const list = async () => (await run('list')).last['integrations'] as readonly Integration[];
  return { as, connect, run, list };
}

async function rekey(home: string, token: string, issuer: string): Promise<void> {
  const childPath = path.join(import.meta.dirname, '../../main/storage/keychain/keychain-child.ts');
  const keychain = createKeychain({ service: keychainService('dev'), childPath });
  const engine = openProfileEngine(home, { keychain });
  onTestFinished(async () => void (await Promise.all([engine.close(), keychain.close()])));
  const [integration] = await engine.ports.store.list();
  if (!integration) throw new Error('nothing was connected');
  const vault = await engine.ports.vault();
  for (const key of [tokensKey, credentialsKey]) {
    const record = await vault.read(key(integration.id, token));
    expect(record).toMatchObject({ issuer: token });
    const { server: _later, ...rest } = record as Record<string, unknown>;
    await vault.write(key(integration.id, issuer), { ...rest, issuer });
    await vault.delete(key(integration.id, token));
  }
  await engine.ports.store.write({ ...integration, issuerKey: issuer, authorizationServer: issuer });
}

describe.each([
  ['in place of published ones', true],
  ['where nothing is published', false],
])('endpoints typed in an earlier version, %s', (_, published) => {
  it('are still used and refreshed, and a new sign-in asks for the client again, under the same id', async () => {
    const { as, connect, run, list } = await openEarlier(published);
    expect(await run('call', 'Notes', 'whoami')).toMatchObject({ code: 0 });
    expect(await run('refresh', 'Notes')).toMatchObject({ code: 0, last: { result: 'ok' } });
    const [before] = await list();
    expect(await run('sign-out', 'Notes')).toMatchObject({ code: 0 });
    const sent = requestsTo(as, '/token').length;
    const again = await run('tools', 'Notes', '--sign-in', 'browser');
    expect(again).toMatchObject({ code: 1, last: { error: { code: 'REG_ISSUER_MISMATCH' } } });
    // It is the same service: "moved to another one" would be wrong.
    expect(again.stdout).not.toMatch(/another sign-in service|new service/u);
    expect(requestsTo(as, '/token')).toHaveLength(sent);
    expect(await connect()).toMatchObject({ code: 0, last: { integration: { id: before?.id, name: 'Notes' } } });
    expect(await list()).toEqual([expect.objectContaining({ id: before?.id, state: 'integrated' })]);
    expect(await run('refresh', 'Notes')).toMatchObject({ code: 0 });
    expect(await run('call', 'Notes', 'whoami')).toMatchObject({ code: 0 });
  });
});

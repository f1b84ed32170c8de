import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renewIntegration } from '../../main/operations/servers.ts';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { createJwtSigner } from '../support/signed-jwt.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** An assertion instead of a sign-in (RFC 7523 section 2.1, SEP-1933: workload identity), on oidc-provider. */

const { signal } = new AbortController();
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const grant = 'jwt-bearer';
const clientId = 'workload';
const credentials = { clientId };

/** A cluster that issues workload identities, and a service that trusts it. */
async function startCluster() {
  const signer = createJwtSigner();
  const shown: string[] = [];
  const pair = await startPair({
    registration: 'off',
    typedClients: [{ id: clientId, redirectUris: [], grantTypes: [jwtBearer] }],
    assertions: (assertion) => (shown.push(assertion), signer.read(assertion)?.['sub'] === 'night-job'),
  });
  const folder = temporaryFolder();
  const assertionFile = join(folder, 'token');
  const issue = (claims: Readonly<Record<string, unknown>> = {}): string =>
    signer.sign({ iss: 'https://cluster.example', sub: 'night-job', aud: pair.as.issuer, ...claims });
  const write = (text = issue()): void => writeFileSync(assertionFile, text);
  write();
  return {
    ...pair,
    folder,
    assertionFile,
    shown,
    say: issue,
    write,
    options: { grant, assertionFile, credentials } as const,
  };
}

describe('an assertion from a file', () => {
  it('gets an access token without a page, for the named server, as the client itself', async () => {
    const { as, mcp, options, shown } = await startCluster();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url, options);
    expect(engine.opened).toEqual([]);
    const [first] = requestsTo(as, '/token');
    expect(first?.body).toMatchObject({ grant_type: jwtBearer, resource: mcp.url, client_id: clientId });
    expect(integration).toMatchObject({ method: 'OAuth', hasRefreshToken: true, options: { grant } });
    const stored = JSON.stringify(
      await engine.vault.read({ kind: 'tokens', owner: integration.id, issuerKey: integration.issuerKey ?? '' }),
    );
    expect(shown).toHaveLength(1);
    expect(stored).not.toContain(shown[0]);
  });

  it('is read again at each refresh', async () => {
    const { mcp, options, shown, write } = await startCluster();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, options);
    write();
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    expect(new Set(shown).size).toBe(2);
  });

  it('may be a symbolic link, as clusters write it', async () => {
    const { mcp, options, folder, assertionFile } = await startCluster();
    const link = join(folder, 'link');
    symlinkSync(assertionFile, link);
    await proveConnection(createTestEngine(), mcp.url, { ...options, assertionFile: link });
  });

  it('that is refused at a refresh does not end the sign-in: the next one may work', async () => {
    const { mcp, options, say, write } = await startCluster();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, options);
    write(say({ sub: 'another-subject' }));
    const error = await failureOf(renewIntegration(engine.ports, integration, { signal }));
    expect(error).toMatchObject({ code: 'REFRESH_TRANSIENT' });
    write();
    const renewed = await renewIntegration(engine.ports, await engine.read(integration), { signal });
    expect(renewed).toMatchObject({ kind: 'renewed', integration: { state: 'integrated' } });
  });

  it('that is missing at a refresh leaves the current access token in place', async () => {
    const { mcp, options, assertionFile } = await startCluster();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, options);
    rmSync(assertionFile);
    const error = await failureOf(renewIntegration(engine.ports, integration, { signal }));
    expect(error).toMatchObject({ code: 'ASSERTION_INVALID', detail: { fault: 'missing' } });
    await proveUse(engine, await engine.read(integration));
  });
});

describe('a file that is not sent to the service (JA-01, JA-02, JA-04, JA-05)', () => {
  type Cluster = Awaited<ReturnType<typeof startCluster>>;
  it.each([
    ['that is not there (JA-01)', 'missing', ({ assertionFile }) => rmSync(assertionFile)],
    [
      'that is a folder (JA-01)',
      'not-a-file',
      ({ assertionFile }) => (rmSync(assertionFile), mkdirSync(assertionFile)),
    ],
    ['of 4 MiB (JA-02)', 'large', ({ write }) => write('a'.repeat(4 * 1024 * 1024))],
    ['that everybody can write (JA-03)', 'foreign', ({ assertionFile }) => chmodSync(assertionFile, 0o666)],
    ['that holds no JWT (JA-04)', 'format', ({ write }) => write('SECRET-OF-ANOTHER-KIND')],
    [
      'that nobody has signed (JA-04)',
      'format',
      ({ write, say }) => write(say().replace(/^[^.]+/u, 'eyJhbGciOiJub25lIn0')),
    ],
    ['that has no end (JA-04)', 'format', ({ write, say }) => write(say({ exp: undefined }))],
    ['that has ended (JA-04)', 'ended', ({ write, say }) => write(say({ exp: 1_000 }))],
    [
      'for another service (JA-05)',
      'audience',
      ({ write, say }) => write(say({ aud: 'https://kubernetes.default.svc' })),
    ],
    ['for nobody (JA-05)', 'audience', ({ write, say }) => write(say({ aud: undefined }))],
  ] as [string, string, (cluster: Cluster) => void][])('%s', async (_, fault, spoil) => {
    const cluster = await startCluster();
    spoil(cluster);
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(cluster.mcp.url, cluster.options));
    expect(error).toMatchObject({ code: 'ASSERTION_INVALID', detail: { fault } });
    expect(engine.sent.filter(({ purpose }) => purpose === 'token')).toEqual([]);
    expect(cluster.shown).toEqual([]);
    await expectNothingStored(engine);
  });

  // Only root can change the owner of a file.
  it.runIf(process.getuid?.() === 0)('of another user (JA-03)', async () => {
    const { mcp, options, assertionFile, shown } = await startCluster();
    chownSync(assertionFile, 12_345, 12_345);
    const error = await failureOf(createTestEngine().connect(mcp.url, options));
    expect(error).toMatchObject({ code: 'ASSERTION_INVALID', detail: { fault: 'foreign' } });
    expect(shown).toEqual([]);
  });

  it('for a service that does not support assertions', async () => {
    const { options } = await startCluster();
    const metadata = (document: object): Record<string, unknown> => ({
      ...document,
      grant_types_supported: ['authorization_code'],
    });
    const other = await startPair({ registration: 'off', metadata });
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(other.mcp.url, options))).toMatchObject({ code: 'DEMAND_UNMET' });
    expect(engine.sent.filter(({ purpose }) => purpose === 'token')).toEqual([]);
  });
});

describe('in the window, a file', () => {
  const needsCredentials = (view: ConnectionView): boolean => view.credentialsRequest !== undefined;
  const discover = async (desktop: TestDesktop, url: string): Promise<string> => {
    const { id } = await desktop.call('connection:discover', { url, options: { local: true } });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    return id;
  };

  it('that the user picks in a system dialog gets an access token without a page', async () => {
    const { mcp, assertionFile, shown } = await startCluster();
    const desktop = await createTestDesktop({ file: () => assertionFile });
    const id = await discover(desktop, mcp.url);
    expect(await desktop.call('connection:chooseAssertionFile', { id })).toEqual({ chosen: true });
    expect(desktop.confirmations.map(({ message }) => message)).toEqual([
      expect.stringContaining(new URL(mcp.url).host),
    ]);
    await desktop.connection(id, (view) => view.assertionFile === assertionFile);
    await desktop.call('connection:start', { id, options: { grant }, ownOAuthApp: true });
    await desktop.connection(id, needsCredentials);
    await desktop.call('connection:submitCredentials', { id, clientId });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect((await desktop.call('integration:tools', { id: integrationId })).tools.length).toBeGreaterThan(0);
    expect([shown.length, desktop.popups]).toEqual([1, []]);
    expect(desktop.messages.join()).not.toContain(shown[0]);
  });

  it('that cannot be used is reported at once, and not stored', async () => {
    const { mcp } = await startCluster();
    const files = ['/nowhere/token', undefined];
    const desktop = await createTestDesktop({ file: () => files.shift() });
    const id = await discover(desktop, mcp.url);
    expect(await desktop.callFailing('connection:chooseAssertionFile', { id })).toMatchObject({
      code: 'ASSERTION_INVALID',
    });
    expect(await desktop.call('connection:chooseAssertionFile', { id })).toEqual({ chosen: false });
    expect(await desktop.waitFor(({ connections }) => connections?.[0])).not.toHaveProperty('assertionFile');
  });

  it('JA-07 cannot be named by a page, and stays with the server that it was chosen for', async () => {
    const { mcp, assertionFile, shown } = await startCluster();
    const desktop = await createTestDesktop({ file: () => assertionFile });
    const id = await discover(desktop, mcp.url);
    const named = { grant, assertionFile };
    for (const [call, input] of [
      ['connection:discover', { url: mcp.url, options: { local: true, ...named } }],
      ['connection:start', { id, options: named, ownOAuthApp: true }],
      ['connection:submitCredentials', { id, clientId, options: named }],
      ['connection:chooseAssertionFile', { id, file: assertionFile }],
    ] as const)
      expect(await desktop.callFailing(call, input)).toMatchObject({ code: 'IPC_SCHEMA' });
    await desktop.call('connection:chooseAssertionFile', { id });
    const other = await startPair({ registration: 'off', typedClients: [{ id: clientId, redirectUris: [] }] });
    await desktop.call('connection:discover', { id, url: other.mcp.url, options: { local: true } });
    const moved = await desktop.connection(
      id,
      ({ url, state }) => url === other.mcp.url && state.name === 'discovered',
    );
    expect(moved).not.toHaveProperty('assertionFile');
    expect(shown).toEqual([]);
  });
});

describe('postern connect --assertion-file', () => {
  it('connects and calls a tool, and shows neither assertion nor token (JA-06)', async () => {
    const { mcp, assertionFile, shown } = await startCluster();
    const home = temporaryFolder();
    const words = ['connect', mcp.url, '--local', '--client-id', clientId, '--assertion-file', assertionFile];
    const result = await runInProcess([...words, '--trace', '--json'], { home });
    expect(result).toMatchObject({ code: 0, last: { integration: { method: 'OAuth' } } });
    const { id = '' } = result.last['integration'] as { id?: string };
    const sheet = await runInProcess(['show', id], { home });
    expect(sheet.stdout).toContain(`--assertion-file`);
    expect(sheet.stdout).toContain(assertionFile);
    const called = await runInProcess(['call', id, 'word_count', '{"text":"a b"}', '--json'], { home });
    expect(called).toMatchObject({ code: 0 });
    const output = [result, sheet, called].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(output).not.toContain(shown[0]);
    expect(output).not.toContain(shown[0]?.split('.')[2]);
  });

  it.each([
    [['--assertion-file', 'x']],
    [['--assertion-file', 'x', '--client-id', 'a', '--grant', 'client-credentials']],
    [['--assertion-file', 'x', '--client-id', 'a', '--sign-in', 'device']],
  ])('with %j is a usage error', async (more) => {
    const words = ['connect', 'https://mcp.example', ...more, '--json'];
    const result = await runInProcess(words, { home: temporaryFolder(), stdin: '' });
    expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
  });
});

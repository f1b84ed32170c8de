import { describe, expect, it } from 'vitest';
import { Secret } from '../../main/secret.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair, startResource, startServer } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Registration behind an initial access token (RFC 7591 section 3), on oidc-provider. */

const token = 'TOKEN-TO-REGISTER-WITH';
const closed: AuthorizationServerOptions = { registrationToken: token };
const registrationToken = new Secret(token);

describe('a service that requires an initial access token to register', () => {
  it('gets it only with the registration, and it is stored nowhere', async () => {
    const { as, mcp } = await startPair(closed);
    const engine = createTestEngine();
    await proveConnection(engine, mcp.url, { registrationToken });
    const withToken = engine.sent.filter((request) => JSON.stringify(request).includes(token));
    expect(withToken.map(({ purpose }) => purpose)).toEqual(['registration']);
    const records = await Promise.all(
      (await engine.vault.owners()).map(async (owner) => await engine.vault.keysOf(owner)),
    );
    const stored = await Promise.all(records.flat().map((key) => engine.vault.read(key)));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  it.each([
    ['without one', undefined],
    ['with a wrong one', new Secret('another')],
  ])('reports it if a client registers %s', async (_, member) => {
    const { mcp } = await startPair(closed);
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url, member ? { registrationToken: member } : {}));
    expect(error).toMatchObject({
      code: 'DCR_UNSUPPORTED',
      remedy: { kind: 'type-credentials', registrationToken: true },
    });
    await expectNothingStored(engine);
  });

  it('may demand it with 403', async () => {
    const { mcp } = await startPair({ registration: 'refuse' });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error.remedy).toMatchObject({ kind: 'type-credentials', registrationToken: true });
  });

  it('is the only one to get it: another service that the server names during the sign-in does not', async () => {
    const first = await startServer(closed);
    const second = await startServer(closed);
    const isRegistered = (): boolean => requestsTo(first, '/register').length > 0;
    const mcp = await startResource(first, {
      metadata: (document) => ({
        ...document,
        authorization_servers: [isRegistered() ? second.issuer : first.issuer],
      }),
    });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url, { registrationToken }));
    expect(error.code).toBe('DCR_UNSUPPORTED');
    const shownTo = ({ requests }: typeof first): string => JSON.stringify(requests);
    expect(shownTo(first)).toContain(token);
    expect(requestsTo(second, '/register')).toHaveLength(1);
    expect(shownTo(second)).not.toContain(token);
  });
});

describe('postern connect --registration-token-stdin', () => {
  it('reads it from standard input, and shows it nowhere', async () => {
    const { mcp } = await startPair(closed);
    const words = ['connect', mcp.url, '--local', '--registration-token-stdin', '--trace', '--json'];
    const result = await runInProcess(words, { home: temporaryFolder(), stdin: `${token}\n` });
    expect(result.code).toBe(0);
    expect(result.stdout + result.stderr).not.toContain(token);
  });

  it('is suggested if it is missing', async () => {
    const { mcp } = await startPair(closed);
    const result = await runInProcess(['connect', mcp.url, '--local', '--json'], { home: temporaryFolder() });
    expect(JSON.stringify(result.last)).toContain('--registration-token-stdin');
  });

  it.each([
    ['--client-id', 'mine'],
    ['--header', 'X-Key'],
  ])('cannot be combined with %s', async (...other) => {
    const words = ['connect', 'https://mcp.example', '--registration-token-stdin', ...other, '--json'];
    const result = await runInProcess(words, { home: temporaryFolder(), stdin: `${token}\n` });
    expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
  });
});

import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../main/errors/postern-error.ts';
import type { AuthorizationServerOptions, Metadata } from '../demo/authorization-server-options.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { endErrorOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/**
 * What a service requires of every sign-in that Postern cannot do: reported before anything is registered or opened.
 */

const publishing = (more: Metadata): AuthorizationServerOptions => ({
  metadata: (document) => ({ ...document, ...more }),
});

const demands: readonly [Metadata, string][] = [
  [{ require_pushed_authorization_requests: true }, 'pushed-request'],
  [{ require_signed_request_object: true }, 'signed-request'],
  [{ dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['none', 'HS256', 'ES512'] }, 'dpop'],
  [{ response_types_supported: ['code id_token', 'id_token'] }, 'response-type'],
  [{ grant_types_supported: ['client_credentials'] }, 'grant-type'],
  [{ response_modes_supported: ['form_post'] }, 'response-mode'],
  [{ token_endpoint_auth_methods_supported: ['self_signed_tls_client_auth', 'tls_client_auth'] }, 'client-key'],
  [
    {
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256K'],
    },
    'client-key',
  ],
  [{ token_endpoint_auth_methods_supported: ['client_secret_jwt'] }, 'secret-signature'],
];

describe('a requirement of the sign-in service', () => {
  it.each(demands)('%o is reported before anything is registered or opened', async (more, demand) => {
    const { as, mcp } = await startPair(publishing(more));
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code: 'DEMAND_UNMET', stage: 'discovery', detail: { demand } });
    expect(toPlainError(error).message).toContain(new URL(as.issuer).host);
    expect(requestsTo(as, '/register')).toEqual([]);
    expect(engine.opened).toEqual([]);
    expect(engine.dialogs).toEqual([]);
    await expectNothingStored(engine);
  });

  it("is the same for the user's own client", async () => {
    const { mcp } = await startPair(publishing({ require_pushed_authorization_requests: true }));
    const engine = createTestEngine();
    const run = engine.connect(mcp.url, { credentials: { clientId: 'mine' } });
    expect(await failureOf(run)).toMatchObject({ code: 'DEMAND_UNMET' });
  });

  it('is the same if it appears later', async () => {
    let isLate = false;
    const { mcp } = await startPair({
      metadata: (document) => ({ ...document, ...(isLate && { require_pushed_authorization_requests: true }) }),
      answer: (_, response) => {
        isLate = true;
        return response;
      },
    });
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'DEMAND_UNMET' });
    expect(engine.opened).toEqual([]);
  });

  it.each<[string, Metadata]>([
    ['offered', { tls_client_certificate_bound_access_tokens: true, dpop_signing_alg_values_supported: ['ES256'] }],
    ['denied', { require_pushed_authorization_requests: false, require_signed_request_object: false }],
    ['empty', { response_types_supported: [], grant_types_supported: [], response_modes_supported: [] }],
    [
      'listed next to what Postern supports',
      { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'] },
    ],
    ['of a wrong type', { require_pushed_authorization_requests: 'no' }],
  ])('that is only %s is ignored', async (_, more) => {
    const { mcp } = await startPair(publishing(more));
    await proveConnection(createTestEngine(), mcp.url);
  });

  it.each([
    { tls_client_certificate_bound_access_tokens: true },
    { require_pushed_authorization_requests: true },
    { require_signed_request_object: true },
    { token_endpoint_auth_method: 'private_key_jwt' },
  ])('%o in the response to a registration is reported before a page opens', async (more) => {
    const { mcp } = await startPair({
      answer: (route, response) =>
        route === 'registration' ? { ...response, body: { ...(response.body as object), ...more } } : response,
    });
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'DEMAND_UNMET', stage: 'registration' });
    expect(engine.opened).toEqual([]);
    expect(engine.dialogs).toEqual([]);
    await expectNothingStored(engine);
    expect(await engine.vault.owners()).toEqual([]);
  });

  it('is a verdict of discover, and ends connect with exit code 1', async () => {
    const { mcp } = await startPair(publishing({ require_pushed_authorization_requests: true }));
    const home = temporaryFolder();
    const found = await runInProcess(['discover', mcp.url, '--local', '--json'], { home });
    expect(found).toMatchObject({ code: 0, last: { verdict: 'demand', demand: 'pushed-request' } });
    const connected = await runInProcess(['connect', mcp.url, '--local', '--json'], { home });
    expect(connected).toMatchObject({ code: 1, last: { error: { code: 'DEMAND_UNMET' } } });
  });

  it('is shown in the window in place of a verdict', async () => {
    const { mcp } = await startPair(publishing({ require_signed_request_object: true }));
    const desktop = await createTestDesktop();
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    const error = endErrorOf(await desktop.connection(id, ({ state }) => state.name === 'failed'));
    expect(error).toMatchObject({ code: 'DEMAND_UNMET', stage: 'discovery' });
    expect(desktop.popups).toEqual([]);
  });
});

describe("a user's policy that the service cannot meet", () => {
  it.each([{}, { code_challenge_methods_supported: ['plain'] }])(
    'ends before anything is registered: %o',
    async (more) => {
      const { as, mcp } = await startPair({
        metadata: ({ code_challenge_methods_supported: _methods, ...document }) => ({ ...document, ...more }),
      });
      const engine = createTestEngine();
      expect(await failureOf(engine.connect(mcp.url, { pkce: 'required' }))).toMatchObject({
        code: 'PKCE_UNSUPPORTED',
      });
      expect(requestsTo(as, '/register')).toEqual([]);
      expect(engine.opened).toEqual([]);
    },
  );
});

describe('a refused registration', () => {
  it.each([
    [400, false],
    [403, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [501, false],
    [503, true],
  ])('with %i may be temporary: %s', async (status, passes) => {
    const { mcp } = await startPair({
      answer: (route, response) => (route === 'registration' ? { status, body: { error: 'no' } } : response),
    });
    const error = toPlainError(await failureOf(createTestEngine().connect(mcp.url)));
    expect(error).toMatchObject({ code: 'DCR_UNSUPPORTED', retryable: passes });
  });
});

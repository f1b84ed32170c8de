import { describe, expect, it } from 'vitest';
import {
  loadCredentials,
  saveCredentials,
  saveTokens,
  tokensKey,
} from '../../../../../main/engine/records/stored-secrets.ts';
import { usableTokens } from '../../../../../main/engine/refresh/access-token.ts';
import { refreshStoredTokens } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import type { RefreshReason } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import { acceptTokens } from '../../../../../main/engine/use/credential-source.ts';
import { PosternError, readDetail, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import type { TokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createRefreshWorld, issuer, settle } from '../../../../support/refresh-world.ts';
import type { TokenReply } from '../../../../support/refresh-world.ts';

const minutes = 60_000;
const { signal } = new AbortController();
const network = (code: 'DNS_FAIL' | 'CONNECT_FAIL' | 'DEADLINE', sent: 'no' | 'maybe') =>
  new (sent === 'no' ? UnsentRequest : LostRequest)(code, { stage: 'refresh' });
const refused = (error: string, status = 400): TokenReply => ({ status, body: JSON.stringify({ error }) });

/** A valid ID token of the service for the client in that world. */
const idTokenOf = (claims: object): string =>
  [{ alg: 'RS256' }, { iss: issuer, aud: 'postern', exp: 9_999_999_999, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2ln')
    .join('.');

/** A world with one signed-in integration, and helpers for it. */
async function signedIn(life = 3_600) {
  const world = createRefreshWorld(life);
  const integration = await world.signIn('one');
  const tokens = async (): Promise<TokenSet> => {
    const stored = await world.tokens('one');
    if (!stored) throw new Error('the tokens are gone');
    return stored;
  };
  return {
    ...world,
    world,
    integration,
    tokens,
    state: async () => (await world.ports.store.read('one'))?.state,
    refresh: async (reason: RefreshReason = 'requested') =>
      await refreshStoredTokens(world.ports, integration, await tokens(), reason, signal),
    use: async () => {
      const entry = await world.ports.store.read('one');
      return await usableTokens(world.ports, entry ?? integration, signal);
    },
  };
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'ok',
    (error: unknown) => (error as PosternError).code,
  );

describe('the end of a sign-in', () => {
  it.each([
    ['invalid_grant', refused('invalid_grant')],
    ['bad_refresh_token', refused('bad_refresh_token')],
  ] as const)('follows %s: deletes the tokens, keeps the client and sends nothing more', async (_name, reply) => {
    const { world, refresh, state, vault, use, sent } = await signedIn();
    world.answer = () => reply;
    expect(await codeOf(refresh())).toBe('REFRESH_REVOKED');
    expect(await state()).toBe('reauthenticationRequired');
    expect(await vault.read(tokensKey('one', issuer))).toBeUndefined();
    expect(await loadCredentials(vault, 'one', issuer)).toBeDefined();
    expect(await codeOf(use())).toBe('SIGN_IN_REQUIRED');
    expect(sent).toHaveLength(1);
  });

  it.each([
    [500, {}],
    [500, { body: '{"error":"server_error"}' }],
    [500, { body: '{"error":"kaputt"}' }],
    [501, {}],
    [504, { body: '<html>gateway</html>' }],
    [507, {}],
    [599, {}],
    [403, {}],
    [404, { body: '{"message":"no Route matched"}' }],
    [400, {}],
    [400, { body: '{"error":"kaputt"}' }],
    [400, { body: '{"error":"invalid_target"}' }],
    [403, { body: '{"error":"access_denied"}' }],
  ] as const)(
    'does not follow %i (%j), whatever the reason for the refresh: keeps tokens and state, pauses and recovers',
    async (status, reply) => {
      for (const reason of ['due', 'requested', 'suspected', 'refused'] as const) {
        const { world, refresh, use, state, tokens, sent, clock, ports } = await signedIn();
        world.answer = () => ({ status, ...reply });
        clock.advance(60 * minutes);
        expect(await codeOf(refresh(reason))).toBe('REFRESH_TRANSIENT');
        expect(await state()).toBe('integrated');
        expect((await tokens()).refreshToken?.reveal()).toBe('r:one:1');
        expect((await ports.store.read('one'))?.retryAt).toBeGreaterThan(clock.now());
        expect(await codeOf(use())).toBe('REFRESH_TRANSIENT');
        expect(sent).toHaveLength(1);
        world.answer = () => undefined;
        clock.advance(2 * minutes);
        expect((await use()).accessToken.reveal()).toBe('a:one:2');
        expect(await ports.store.read('one')).not.toHaveProperty('retryAt');
      }
    },
  );

  it('does not follow an outage after a 401 of the MCP server: the refused token is expired, and renewed later', async () => {
    const { world, refresh, use, state, clock, sent, ports } = await signedIn();
    world.answer = () => ({ status: 500 });
    expect(await codeOf(refresh('refused'))).toBe('REFRESH_TRANSIENT');
    expect(await state()).toBe('integrated');
    expect((await ports.store.read('one'))?.expiresAt).toBeLessThanOrEqual(clock.now());
    expect(await codeOf(use())).toBe('REFRESH_TRANSIENT');
    expect(sent).toHaveLength(1);
    clock.advance(2 * minutes);
    world.answer = () => undefined;
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
  });

  it('does not follow an outage while the access token is valid: uses it, and pauses', async () => {
    const { world, use, state, sent, clock } = await signedIn(1_000);
    world.answer = () => ({ status: 500 });
    clock.advance(800_000);
    expect((await use()).accessToken.reveal()).toBe('a:one:1');
    expect(await state()).toBe('integrated');
    await use();
    expect(sent).toHaveLength(1);
    clock.advance(60_000);
    world.answer = () => undefined;
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
  });

  it('does not follow an outage that a user sees: the message names it and the next retry', async () => {
    const { world, refresh, state } = await signedIn();
    world.answer = () => ({ status: 500 });
    const { message, remedy, retryable } = toPlainError(await refresh().catch((thrown: unknown) => thrown));
    expect(retryable).toBe(true);
    expect(message).toContain('500');
    expect(message).not.toMatch(/ended|expired|withdrawn/);
    expect(remedy).toMatchObject({ kind: 'await-renewal', until: expect.any(Number) });
    expect(await state()).toBe('integrated');
  });

  it('follows invalid_grant, but not with status 500', async () => {
    const { world, refresh, vault } = await signedIn();
    const refuseWith = async (status: number): Promise<unknown> => {
      world.answer = () => refused('invalid_grant', status);
      return toPlainError(await refresh().catch((thrown: unknown) => thrown));
    };
    expect(await refuseWith(500)).toMatchObject({ code: 'REFRESH_TRANSIENT', retryable: true });
    expect(await vault.read(tokensKey('one', issuer))).toBeDefined();
    expect(await refuseWith(403)).toMatchObject({ code: 'REFRESH_REVOKED', retryable: false });
    expect(await vault.read(tokensKey('one', issuer))).toBeUndefined();
  });

  it('follows an unknown client: signs in again with a new registration, or asks for the typed one', async () => {
    const { world, refresh, state, vault, tokens } = await signedIn();
    world.answer = () => refused('invalid_client', 401);
    expect(await codeOf(refresh())).toBe('SIGN_IN_REQUIRED');
    expect(await state()).toBe('reauthenticationRequired');
    expect((await tokens()).refreshToken?.reveal()).toBe('r:one:1');
    const registered = await loadCredentials(vault, 'one', issuer);
    if (!registered) throw new Error('no client');
    await saveCredentials(vault, 'one', { ...registered, source: 'typed' });
    expect(await codeOf(refresh())).toBe('CLIENT_REJECTED');
    expect(await loadCredentials(vault, 'one', issuer)).toMatchObject({ refused: true });
  });

  it.each(['registered', 'typed'] as const)(
    'follows a lost %s client only after the access token has expired',
    async (source) => {
      const { world, use, clock, vault, sent } = await signedIn();
      const registered = await loadCredentials(vault, 'one', issuer);
      if (!registered) throw new Error('no client');
      await saveCredentials(vault, 'one', { ...registered, source });
      world.answer = () => refused('invalid_client', 401);
      clock.advance(56 * minutes);
      expect((await use()).accessToken.reveal()).toBe('a:one:1');
      // The next attempt finds no client, or a refused one.
      expect((await use()).accessToken.reveal()).toBe('a:one:1');
      expect(sent.length).toBeGreaterThan(0);
      clock.advance(4 * minutes);
      expect(await codeOf(use())).toBe(source === 'typed' ? 'CLIENT_REJECTED' : 'SIGN_IN_REQUIRED');
    },
  );

  it('does not follow an unknown outcome: resends at once, then after each pause, until a success', async () => {
    const { world, refresh, use, clock, sent, state } = await signedIn();
    world.answer = () => network('CONNECT_FAIL', 'maybe');
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    expect(sent).toHaveLength(2);
    expect(await state()).toBe('integrated');
    clock.advance(57 * minutes);
    expect((await use()).accessToken.reveal()).toBe('a:one:1');
    expect(sent).toHaveLength(4);
    clock.advance(3 * minutes);
    expect(await codeOf(use())).toBe('REFRESH_TRANSIENT');
    expect(sent).toHaveLength(6);
    world.answer = () => undefined;
    clock.advance(5 * minutes);
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
    expect(await state()).toBe('integrated');
  });

  it('does not follow an outage of any length: sends the token once an hour while the server is silent', async () => {
    const { world, refresh, clock, sent, state } = await signedIn();
    world.answer = () => network('DEADLINE', 'maybe');
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    world.getFailure = network('DEADLINE', 'maybe');
    for (let passed = 0; passed < 24 * 60; passed += 6) {
      clock.advance(6 * minutes);
      expect(await codeOf(refresh('due'))).toBe('REFRESH_TRANSIENT');
    }
    expect(sent.length).toBeLessThanOrEqual(25);
    // Otherwise a server that responds only to POST would never receive anything.
    expect(sent.length).toBeGreaterThan(20);
    expect(await state()).toBe('integrated');
    world.getFailure = undefined;
    world.answer = () => undefined;
    expect((await refresh()).accessToken.reveal()).toBe('a:one:2');
  });

  it('never affects a newer pair from another process (RF-07)', async () => {
    const { world, refresh, tokens, vault, ports, integration } = await signedIn();
    const seen = await tokens();
    await refresh();
    world.answer = () => refused('invalid_grant');
    const late = await refreshStoredTokens(ports, integration, seen, 'refused', signal);
    expect(late.accessToken.reveal()).toBe('a:one:2');
    expect(await vault.read(tokensKey('one', issuer))).toBeDefined();
  });
});

describe('a temporary failure', () => {
  it.each([
    ['offline', network('CONNECT_FAIL', 'no'), false],
    ['an unknown host', network('DNS_FAIL', 'no'), false],
    ['a time-out before anything was sent', network('DEADLINE', 'no'), false],
    ['a time-out', network('DEADLINE', 'maybe'), true],
    ['502', { status: 502 }, true],
    ['503', { status: 503 }, true],
    ['429', { status: 429 }, true],
    ['a captive portal', { status: 200, body: '<html>Welcome</html>' }, true],
    ['temporarily_unavailable', refused('temporarily_unavailable'), true],
  ] as const)('such as %s keeps the tokens, uses the access token and recovers', async (_name, reply, rests) => {
    const { world, use, state, clock, sent } = await signedIn();
    clock.advance(56 * minutes);
    world.answer = () => reply;
    if (reply instanceof PosternError) world.getFailure = reply;
    expect((await use()).accessToken.reveal()).toBe('a:one:1');
    expect(await state()).toBe('integrated');
    expect(sent).toHaveLength(1);
    // Pause after reaching the server; without a network, retry at once since it may be back.
    await use();
    expect(sent).toHaveLength(rests ? 1 : 2);
    clock.advance(5 * minutes);
    expect(await codeOf(use())).toBe('REFRESH_TRANSIENT');
    expect(await state()).toBe('integrated');
    world.answer = () => undefined;
    world.getFailure = undefined;
    clock.advance(6 * minutes);
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
    expect(await state()).toBe('integrated');
  });

  it('reports the next retry, and respects a longer Retry-After', async () => {
    const { world, refresh, clock } = await signedIn();
    world.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
    const error = await refresh().catch((thrown: unknown) => thrown as PosternError);
    expect(Number(readDetail(error as PosternError)['retryAt']) - clock.now()).toBeGreaterThanOrEqual(600_000);
  });
});

describe('a sign-in without a refresh token', () => {
  /** Signed in with only an access token. */
  async function withoutRefreshToken() {
    const opened = await signedIn();
    const { refreshToken: _none, ...bare } = await opened.tokens();
    await saveTokens(opened.vault, anIntegration({ id: 'one' }), bare);
    return opened;
  }

  it('cannot be renewed, and the message says so while the access token is valid', async () => {
    const { refresh, state, clock } = await withoutRefreshToken();
    const early = toPlainError(await refresh().catch((error: unknown) => error));
    expect(early).toMatchObject({ code: 'SIGN_IN_REQUIRED', message: expect.stringContaining('refresh token') });
    expect(early.remedy).toEqual({ kind: 'sign-in', access: 'lives' });
    expect(await state()).toBe('integrated');
    clock.advance(60 * minutes);
    const afterExpiry = toPlainError(await refresh().catch((error: unknown) => error));
    expect(afterExpiry).toMatchObject({
      code: 'SIGN_IN_REQUIRED',
      message: expect.not.stringContaining('refresh token'),
    });
    expect(afterExpiry.remedy).toEqual({ kind: 'sign-in', access: 'gone' });
  });
});

describe('a server that rejects tokens', () => {
  it('causes one refresh; refused new tokens stay, and are renewed after growing pauses (RF-20)', async () => {
    const { refresh, state, sent, clock, tokens } = await signedIn();
    await refresh('refused');
    expect(await codeOf(refresh('refused'))).toBe('TOKEN_REJECTED');
    expect(await codeOf(refresh('refused'))).toBe('TOKEN_REJECTED');
    expect(sent).toHaveLength(1);
    expect(await state()).toBe('integrated');
    expect((await tokens()).accessToken.reveal()).toBe('a:one:2');
    for (let passed = 0; passed < 50; passed += 1) {
      clock.advance(minutes);
      await codeOf(refresh('refused'));
    }
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.length).toBeLessThan(10);
  });

  it('may refuse a renewed token that has expired since', async () => {
    const { refresh, state, sent, clock } = await signedIn();
    await refresh('refused');
    clock.advance(60 * minutes);
    await refresh('refused');
    expect(sent).toHaveLength(2);
    expect(await state()).toBe('integrated');
  });

  it('may refuse a token again that it accepted meanwhile', async () => {
    const { ports, integration, refresh, sent, tokens } = await signedIn();
    for (let round = 1; round <= 5; round += 1) {
      const fresh = await refresh('refused');
      expect((await acceptTokens(ports, integration, fresh)).refusals).toBeUndefined();
      expect((await tokens()).refusals).toBeUndefined();
      expect(sent).toHaveLength(round);
    }
  });
});

describe('a rotated pair', () => {
  it('is returned only after it is stored (RF-01)', async () => {
    const { vault, refresh, sent } = await signedIn();
    const { write } = vault;
    const disk = Promise.withResolvers<void>();
    const order: string[] = [];
    Object.assign(vault, {
      async write(...args: Parameters<typeof write>) {
        // The attempt counter is written before the request.
        if (sent.length > 0) {
          order.push('writing');
          await disk.promise;
        }
        await write(...args);
        if (sent.length > 0) order.push('written');
      },
    });
    const refreshed = refresh().then((tokens) => {
      order.push('handed out');
      return tokens;
    });
    await settle();
    expect(order).toEqual(['writing']);
    disk.resolve();
    expect((await refreshed).accessToken.reveal()).toBe('a:one:2');
    expect(order).toEqual(['writing', 'written', 'handed out']);
  });
});

describe('tokens that cannot be stored', () => {
  it('stay in memory, are reported as unsaved, and are stored as soon as possible (RF-04)', async () => {
    const { ports, vault, world, refresh, use, clock, state } = await signedIn();
    const full = new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    const { write } = vault;
    let writes = 0;
    // The attempt counter before the request is stored; the pair after it is not.
    Object.assign(vault, {
      write: (...args: Parameters<typeof write>) => (++writes > 1 ? Promise.reject(full) : write(...args)),
    });
    const refreshed = refresh();
    refreshed.catch(() => {});
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await settle();
      clock.advance(500);
    }
    expect(await codeOf(refreshed)).toBe('CFG_DISK_FULL');
    expect(writes).toBe(4);
    expect((await ports.vault()).unsaved.size).toBe(1);
    expect((await use()).accessToken.reveal()).toBe('a:one:2');

    Object.assign(vault, { write });
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
    expect((await ports.vault()).unsaved.size).toBe(0);
    expect(await vault.read(tokensKey('one', issuer))).toMatchObject({ accessToken: 'a:one:2' });
    expect(await state()).toBe('integrated');
    expect(world.sent).toEqual(['r:one:1']);
  });

  it('cost no refresh token if the failure is known before', async () => {
    const { vault, refresh, sent } = await signedIn();
    const readonly = new PosternError('CFG_READONLY', { stage: 'storage' });
    Object.assign(vault, { write: () => Promise.reject(readonly) });
    expect(await codeOf(refresh())).toBe('CFG_READONLY');
    expect(sent).toEqual([]);
  });
});

describe('a refresh response', () => {
  it.each([[undefined], [null], ['']])(
    'with %j for every optional member keeps the old refresh token, which still works (RF-12, RF-13)',
    async (empty) => {
      const { world, refresh, tokens } = await signedIn();
      for (const accessToken of ['new', 'newer']) {
        const optional = { refresh_token: empty, scope: empty, expires_in: empty, id_token: empty };
        const reply = { access_token: accessToken, token_type: 'Bearer', ...optional };
        world.answer = () => ({ status: 200, body: JSON.stringify(reply) });
        await refresh();
        const stored = await tokens();
        expect([stored.accessToken.reveal(), stored.refreshToken?.reveal()]).toEqual([accessToken, 'r:one:1']);
        expect(stored.lostAt).toBeUndefined();
      }
    },
  );

  it('with an unusable access token keeps the old one and the new refresh token', async () => {
    const { world, refresh, tokens } = await signedIn();
    world.answer = () => ({ status: 200, body: '{"access_token":7,"token_type":"Bearer","refresh_token":"newer"}' });
    const before = await tokens();
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    const stored = await tokens();
    expect(stored.accessToken.reveal()).toBe(before.accessToken.reveal());
    expect([stored.refreshToken?.reveal(), stored.earlierToken?.reveal()]).toEqual(['newer', 'r:one:1']);
    expect(stored.lostAt).toBeDefined();
  });

  it('with an unusable access token of another account does not replace the refresh token (RF-19)', async () => {
    const { world, refresh, tokens } = await signedIn();
    const reply = (more: object): TokenReply => ({
      status: 200,
      body: JSON.stringify({ access_token: 'new', token_type: 'Bearer', ...more }),
    });
    world.answer = () => reply({ sub: 'ada', refresh_token: 'of-ada' });
    await refresh();
    world.answer = () => reply({ sub: 'grace', access_token: 7, refresh_token: 'of-grace' });
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    expect((await tokens()).refreshToken?.reveal()).toBe('of-ada');
  });

  it('that is unusable keeps the sent refresh token', async () => {
    const { world, refresh, tokens } = await signedIn();
    world.answer = () => ({ status: 200, body: '{"access_token":7,"token_type":"Bearer","refresh_token":8}' });
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    expect((await tokens()).refreshToken?.reveal()).toBe('r:one:1');
  });

  it('with another user name adds a warning and keeps the old label (RF-19)', async () => {
    const { world, refresh, ports } = await signedIn();
    const reply = (sub: string): TokenReply => ({
      status: 200,
      body: JSON.stringify({ access_token: sub, token_type: 'Bearer', username: sub }),
    });
    world.answer = () => reply('ada');
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ account: 'ada', notes: [] });
    world.answer = () => reply('grace');
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ account: 'ada', notes: ['another-account'] });
  });

  it.each([
    ['account', { sub: 'ada' }, { sub: 'grace' }],
    ['account, by its number', { user_id: 7 }, { user_id: 8 }],
    ['workspace', { workspace_id: 'w1', workspace_name: 'Acme' }, { workspace_id: 'w2', workspace_name: 'Acme' }],
    ['team', { team: { id: 'T1' }, sub: 'ada' }, { team: { id: 'T2' }, sub: 'ada' }],
    ['account, by its ID token', { id_token: idTokenOf({ sub: 'ada' }) }, { id_token: idTokenOf({ sub: 'grace' }) }],
    [
      'tenant, by its ID token',
      { id_token: idTokenOf({ sub: 'ada', tid: 'one' }) },
      { id_token: idTokenOf({ sub: 'ada', tid: 'two' }) },
    ],
  ])('of another %s is not used: keeps the tokens, and requires a sign-in (RF-19)', async (_what, before, after) => {
    const { world, refresh, ports, tokens } = await signedIn();
    const reply = (more: object): TokenReply => ({
      status: 200,
      body: JSON.stringify({ access_token: 'new', token_type: 'Bearer', ...more }),
    });
    world.answer = () => reply(before);
    await refresh();
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ state: 'integrated', notes: [] });
    world.answer = () => reply(after);
    expect(await codeOf(refresh())).toBe('SIGN_IN_REQUIRED');
    expect(await ports.store.read('one')).toMatchObject({
      state: 'reauthenticationRequired',
      notes: ['another-account'],
    });
    expect((await tokens()).accessToken.reveal()).toBe('new');
    expect(await codeOf(refresh('due'))).toBe('SIGN_IN_REQUIRED');
    // If it was the service’s mistake, the next renewal fixes it.
    world.answer = () => reply(before);
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ state: 'integrated' });
  });
});

describe('two clocks (RF-14)', () => {
  it.each([
    ['two hours ahead', 2 * 60 * minutes],
    ['two hours behind', -2 * 60 * minutes],
    ['to 1970', undefined],
  ])('set %s between calls cost at most one refresh in 30 s', async (_name, change) => {
    const { use, clock, sent } = await signedIn();
    await use();
    clock.setWall(change === undefined ? 0 : clock.now() + change);
    for (let second = 0; second < 30; second += 1) {
      await use();
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(1);
  });

  it('that jump back and forth cause no refresh storm', async () => {
    const { use, clock, sent } = await signedIn();
    const start = clock.now();
    for (let second = 0; second < 120; second += 1) {
      clock.setWall(second % 2 === 0 ? start : start + 3 * 60 * minutes);
      await use();
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('set during a refresh do not change the new lifetime, which starts at receipt', async () => {
    const { world, clock, use, refresh, sent } = await signedIn();
    world.answer = () => {
      clock.setWall(clock.now() - 5 * 60 * minutes);
      return undefined;
    };
    await refresh();
    world.answer = () => undefined;
    clock.advance(54 * minutes);
    await use();
    expect(sent).toHaveLength(1);
    clock.advance(2 * minutes);
    expect((await use()).accessToken.reveal()).toBe('a:one:3');
  });

  it('that are both unreliable cost one refresh; if it fails, the token is used until a 401', async () => {
    const { world, use, clock, sent } = await signedIn();
    clock.setWall(0);
    world.answer = () => network('DNS_FAIL', 'no');
    expect((await use()).accessToken.reveal()).toBe('a:one:1');
    world.answer = () => undefined;
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
    await use();
    expect(sent).toHaveLength(2);
  });

  it('limit requests to a failing server to one in 30 s, however often its token is refused', async () => {
    const { world, refresh, clock, sent } = await signedIn();
    world.answer = () => ({ status: 503 });
    for (let second = 0; second < 60; second += 1) {
      expect(await codeOf(refresh('refused'))).toBe('REFRESH_TRANSIENT');
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('set far back do not extend a short pause', async () => {
    const { world, refresh, clock, sent } = await signedIn();
    world.answer = () => ({ status: 503 });
    await codeOf(refresh('due'));
    clock.setWall(clock.now() - 365 * 24 * 60 * minutes);
    world.answer = () => undefined;
    await refresh('due');
    expect(sent).toHaveLength(2);
  });
});

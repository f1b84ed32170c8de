import { describe, expect, it } from 'vitest';
import {
  loadCredentials,
  saveCredentials,
  saveTokens,
  tokensKey,
} from '../../../../../main/engine/kept/stored-secrets.ts';
import { usableTokens } from '../../../../../main/engine/refresh/access-token.ts';
import { refreshStoredTokens } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import type { RefreshReason } from '../../../../../main/engine/refresh/refresh-stored-tokens.ts';
import { acceptTokens } from '../../../../../main/engine/use/credential-source.ts';
import { PosternError, readDetail, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import type { TokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createRefreshWorld, issuer, settle } from '../../../../support/refresh-world.ts';
import type { TokenAnswer } from '../../../../support/refresh-world.ts';

const minutes = 60_000;
const { signal } = new AbortController();
const network = (code: 'DNS_FAIL' | 'CONNECT_FAIL' | 'DEADLINE', sent: 'no' | 'maybe') =>
  new (sent === 'no' ? UnsentRequest : LostRequest)(code, { stage: 'refresh' });
const refused = (error: string, status = 400): TokenAnswer => ({ status, body: JSON.stringify({ error }) });

/** One that may be believed of the service and the client of that world. */
const idTokenOf = (claims: object): string =>
  [{ alg: 'RS256' }, { iss: issuer, aud: 'postern', exp: 9_999_999_999, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2ln')
    .join('.');

/** A world with one integration, signed in, and short ways to what is asked of it. */
async function signedIn(life = 3_600) {
  const world = createRefreshWorld(life);
  const integration = await world.signIn('one');
  const tokens = async (): Promise<TokenSet> => {
    const kept = await world.tokens('one');
    if (!kept) throw new Error('the tokens are gone');
    return kept;
  };
  return {
    ...world,
    world,
    integration,
    tokens,
    state: async () => (await world.ports.store.read('one'))?.state,
    refresh: async (reason: RefreshReason = 'asked') =>
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

describe('what ends a sign-in', () => {
  it.each([
    ['invalid_grant', refused('invalid_grant')],
    ['bad_refresh_token', refused('bad_refresh_token')],
  ] as const)('is %s: the tokens go, the client stays, and nothing is sent any more', async (_name, answer) => {
    const { world, refresh, state, vault, use, sent } = await signedIn();
    world.answer = () => answer;
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
    'is no %i (%j), for whatever reason it is asked: tokens and state stay, it is left alone, and later all is well',
    async (status, answer) => {
      for (const reason of ['due', 'asked', 'doubted', 'refused'] as const) {
        const { world, refresh, use, state, tokens, sent, clock, ports } = await signedIn();
        world.answer = () => ({ status, ...answer });
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

  it('is no fault after a 401 of the MCP server: what it refused has ended, and is renewed as soon as that works', async () => {
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

  it('is no fault while the access token lives: it is used, and the server left alone', async () => {
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

  it('is no fault that a person meets: the words are of it, and of when to try again', async () => {
    const { world, refresh, state } = await signedIn();
    world.answer = () => ({ status: 500 });
    const { message, remedy, retryable } = toPlainError(await refresh().catch((thrown: unknown) => thrown));
    expect(retryable).toBe(true);
    expect(message).toContain('500');
    expect(message).not.toMatch(/ended|expired|withdrawn/);
    expect(remedy).toMatchObject({ kind: 'await-renewal', until: expect.any(Number) });
    expect(await state()).toBe('integrated');
  });

  it('is an invalid_grant, unless the server says that it has failed', async () => {
    const { world, refresh, vault } = await signedIn();
    const answered = async (status: number): Promise<unknown> => {
      world.answer = () => refused('invalid_grant', status);
      return toPlainError(await refresh().catch((thrown: unknown) => thrown));
    };
    expect(await answered(500)).toMatchObject({ code: 'REFRESH_TRANSIENT', retryable: true });
    expect(await vault.read(tokensKey('one', issuer))).toBeDefined();
    expect(await answered(403)).toMatchObject({ code: 'REFRESH_REVOKED', retryable: false });
    expect(await vault.read(tokensKey('one', issuer))).toBeUndefined();
  });

  it('is a client that the server does not know any more: a registered one is forgotten, a typed one asked for', async () => {
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
    'is a lost %s client, and an access token that still lives is used until its end',
    async (source) => {
      const { world, use, clock, vault, sent } = await signedIn();
      const kept = await loadCredentials(vault, 'one', issuer);
      if (!kept) throw new Error('no client');
      await saveCredentials(vault, 'one', { ...kept, source });
      world.answer = () => refused('invalid_client', 401);
      clock.advance(56 * minutes);
      expect((await use()).accessToken.reveal()).toBe('a:one:1');
      // The next process finds no client, or one that was refused.
      expect((await use()).accessToken.reveal()).toBe('a:one:1');
      expect(sent.length).toBeGreaterThan(0);
      clock.advance(4 * minutes);
      expect(await codeOf(use())).toBe(source === 'typed' ? 'CLIENT_REJECTED' : 'SIGN_IN_REQUIRED');
    },
  );

  it('is no unknown outcome: sent again at once after a cut, then after each rest, and the first success heals it', async () => {
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

  it('is not an outage, however long: while the server answers nothing at all, it is sent once in an hour', async () => {
    const { world, refresh, clock, sent, state } = await signedIn();
    world.answer = () => network('DEADLINE', 'maybe');
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    world.silence = network('DEADLINE', 'maybe');
    for (let passed = 0; passed < 24 * 60; passed += 6) {
      clock.advance(6 * minutes);
      expect(await codeOf(refresh('due'))).toBe('REFRESH_TRANSIENT');
    }
    expect(sent.length).toBeLessThanOrEqual(25);
    // Nothing would ever be sent to a server that answers no GET, but only POST.
    expect(sent.length).toBeGreaterThan(20);
    expect(await state()).toBe('integrated');
    world.silence = undefined;
    world.answer = () => undefined;
    expect((await refresh()).accessToken.reveal()).toBe('a:one:2');
  });

  it('never is the end of somebody else’s sign-in: the winner’s pair survives (RF-07)', async () => {
    const { world, refresh, tokens, vault, ports, integration } = await signedIn();
    const seen = await tokens();
    await refresh();
    world.answer = () => refused('invalid_grant');
    const late = await refreshStoredTokens(ports, integration, seen, 'refused', signal);
    expect(late.accessToken.reveal()).toBe('a:one:2');
    expect(await vault.read(tokensKey('one', issuer))).toBeDefined();
  });
});

describe('what passes', () => {
  it.each([
    ['offline', network('CONNECT_FAIL', 'no'), false],
    ['a name that is not found', network('DNS_FAIL', 'no'), false],
    ['a time-out before anything was sent', network('DEADLINE', 'no'), false],
    ['a time-out', network('DEADLINE', 'maybe'), true],
    ['502', { status: 502 }, true],
    ['503', { status: 503 }, true],
    ['429', { status: 429 }, true],
    ['a captive portal', { status: 200, body: '<html>Welcome</html>' }, true],
    ['temporarily_unavailable', refused('temporarily_unavailable'), true],
  ] as const)(
    'is %s: the tokens stay, the access token is used, and later all is well',
    async (_name, answer, rests) => {
      const { world, use, state, clock, sent } = await signedIn();
      clock.advance(56 * minutes);
      world.answer = () => answer;
      if (answer instanceof PosternError) world.silence = answer;
      expect((await use()).accessToken.reveal()).toBe('a:one:1');
      expect(await state()).toBe('integrated');
      expect(sent).toHaveLength(1);
      // A server that was reached is left alone; a network that was not may be back at any moment.
      await use();
      expect(sent).toHaveLength(rests ? 1 : 2);
      clock.advance(5 * minutes);
      expect(await codeOf(use())).toBe('REFRESH_TRANSIENT');
      expect(await state()).toBe('integrated');
      world.answer = () => undefined;
      world.silence = undefined;
      clock.advance(6 * minutes);
      expect((await use()).accessToken.reveal()).toBe('a:one:2');
      expect(await state()).toBe('integrated');
    },
  );

  it('says when to try again, at the server’s word where that is later', async () => {
    const { world, refresh, clock } = await signedIn();
    world.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
    const error = await refresh().catch((thrown: unknown) => thrown as PosternError);
    expect(Number(readDetail(error as PosternError)['retryAt']) - clock.now()).toBeGreaterThanOrEqual(600_000);
  });
});

describe('a sign-in without a refresh token', () => {
  /** Signed in, and the service gave an access token alone. */
  async function withoutRefreshToken() {
    const opened = await signedIn();
    const { refreshToken: _none, ...bare } = await opened.tokens();
    await saveTokens(opened.vault, anIntegration({ id: 'one' }), bare);
    return opened;
  }

  it('cannot be renewed, and the words are of that while its access lives', async () => {
    const { refresh, state, clock } = await withoutRefreshToken();
    const asked = toPlainError(await refresh().catch((error: unknown) => error));
    expect(asked).toMatchObject({ code: 'SIGN_IN_REQUIRED', message: expect.stringContaining('refresh token') });
    expect(asked.remedy).toEqual({ kind: 'sign-in', access: 'lives' });
    expect(await state()).toBe('integrated');
    clock.advance(60 * minutes);
    const late = toPlainError(await refresh().catch((error: unknown) => error));
    expect(late).toMatchObject({ code: 'SIGN_IN_REQUIRED', message: expect.not.stringContaining('refresh token') });
    expect(late.remedy).toEqual({ kind: 'sign-in', access: 'gone' });
  });
});

describe('a server that rejects tokens', () => {
  it('gets one refresh for a refusal; the fresh ones, refused as well, are kept, and renewed after ever longer rests (RF-20)', async () => {
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

  it('may refuse a renewed one that has come to its end since', async () => {
    const { refresh, state, sent, clock } = await signedIn();
    await refresh('refused');
    clock.advance(60 * minutes);
    await refresh('refused');
    expect(sent).toHaveLength(2);
    expect(await state()).toBe('integrated');
  });

  it('may refuse again what it has taken in between', async () => {
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
  it('is handed out once it is stored, and not before (RF-01)', async () => {
    const { vault, refresh, sent } = await signedIn();
    const { write } = vault;
    const disk = Promise.withResolvers<void>();
    const order: string[] = [];
    Object.assign(vault, {
      async write(...args: Parameters<typeof write>) {
        // The count before the request is stored as well.
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
  it('are kept for this run, told as lost at its end, and stored as soon as that works again (RF-04)', async () => {
    const { ports, vault, world, refresh, use, clock, state } = await signedIn();
    const full = new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    const { write } = vault;
    let writes = 0;
    // The count before the request is stored; the pair after it is not.
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

  it('cost no refresh token when that is known before', async () => {
    const { vault, refresh, sent } = await signedIn();
    const readonly = new PosternError('CFG_READONLY', { stage: 'storage' });
    Object.assign(vault, { write: () => Promise.reject(readonly) });
    expect(await codeOf(refresh())).toBe('CFG_READONLY');
    expect(sent).toEqual([]);
  });
});

describe('the answer to a refresh', () => {
  it.each([[undefined], [null], ['']])(
    'with %j for every optional member keeps the old refresh token, which renews again (RF-12, RF-13)',
    async (empty) => {
      const { world, refresh, tokens } = await signedIn();
      for (const accessToken of ['new', 'newer']) {
        const optional = { refresh_token: empty, scope: empty, expires_in: empty, id_token: empty };
        const answer = { access_token: accessToken, token_type: 'Bearer', ...optional };
        world.answer = () => ({ status: 200, body: JSON.stringify(answer) });
        await refresh();
        const kept = await tokens();
        expect([kept.accessToken.reveal(), kept.refreshToken?.reveal()]).toEqual([accessToken, 'r:one:1']);
        expect(kept.lostAt).toBeUndefined();
      }
    },
  );

  it('with an unusable access token keeps the old one, and the refresh token that came in place of the one sent', async () => {
    const { world, refresh, tokens } = await signedIn();
    world.answer = () => ({ status: 200, body: '{"access_token":7,"token_type":"Bearer","refresh_token":"newer"}' });
    const before = await tokens();
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    const kept = await tokens();
    expect(kept.accessToken.reveal()).toBe(before.accessToken.reveal());
    expect([kept.refreshToken?.reveal(), kept.earlierToken?.reveal()]).toEqual(['newer', 'r:one:1']);
    expect(kept.lostAt).toBeDefined();
  });

  it('with an unusable access token of another account brings no refresh token (RF-19)', async () => {
    const { world, refresh, tokens } = await signedIn();
    const answer = (more: object): TokenAnswer => ({
      status: 200,
      body: JSON.stringify({ access_token: 'new', token_type: 'Bearer', ...more }),
    });
    world.answer = () => answer({ sub: 'ada', refresh_token: 'of-ada' });
    await refresh();
    world.answer = () => answer({ sub: 'grace', access_token: 7, refresh_token: 'of-grace' });
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    expect((await tokens()).refreshToken?.reveal()).toBe('of-ada');
  });

  it('that nobody can use keeps the refresh token that was sent', async () => {
    const { world, refresh, tokens } = await signedIn();
    world.answer = () => ({ status: 200, body: '{"access_token":7,"token_type":"Bearer","refresh_token":8}' });
    expect(await codeOf(refresh())).toBe('REFRESH_TRANSIENT');
    expect((await tokens()).refreshToken?.reveal()).toBe('r:one:1');
  });

  it('of another account is warned of, and the old label stays (RF-19)', async () => {
    const { world, refresh, ports } = await signedIn();
    const answer = (sub: string): TokenAnswer => ({
      status: 200,
      body: JSON.stringify({ access_token: sub, token_type: 'Bearer', username: sub }),
    });
    world.answer = () => answer('ada');
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ account: 'ada', notes: [] });
    world.answer = () => answer('grace');
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
  ])('of another %s is not used; the tokens are kept, and the user is asked (RF-19)', async (_what, before, after) => {
    const { world, refresh, ports, tokens } = await signedIn();
    const answer = (more: object): TokenAnswer => ({
      status: 200,
      body: JSON.stringify({ access_token: 'new', token_type: 'Bearer', ...more }),
    });
    world.answer = () => answer(before);
    await refresh();
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ state: 'integrated', notes: [] });
    world.answer = () => answer(after);
    expect(await codeOf(refresh())).toBe('SIGN_IN_REQUIRED');
    expect(await ports.store.read('one')).toMatchObject({
      state: 'reauthenticationRequired',
      notes: ['another-account'],
    });
    expect((await tokens()).accessToken.reveal()).toBe('new');
    expect(await codeOf(refresh('due'))).toBe('SIGN_IN_REQUIRED');
    // Should it have been a fault of the service, the next renewal heals it.
    world.answer = () => answer(before);
    await refresh();
    expect(await ports.store.read('one')).toMatchObject({ state: 'integrated' });
  });
});

describe('two clocks (RF-14)', () => {
  it.each([
    ['two hours ahead', 2 * 60 * minutes],
    ['two hours behind', -2 * 60 * minutes],
    ['to 1970', undefined],
  ])('set %s between call and call cost at most one refresh, and none in the 30 s after it', async (_name, change) => {
    const { use, clock, sent } = await signedIn();
    await use();
    clock.setWall(change === undefined ? 0 : clock.now() + change);
    for (let second = 0; second < 30; second += 1) {
      await use();
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(1);
  });

  it('that disagree from call to call cause no storm', async () => {
    const { use, clock, sent } = await signedIn();
    const start = clock.now();
    for (let second = 0; second < 120; second += 1) {
      clock.setWall(second % 2 === 0 ? start : start + 3 * 60 * minutes);
      await use();
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('set while the answer is under way leave the new life counted from its receipt', async () => {
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

  it('that both say nothing cost one refresh, and none where that fails: a 401 has the last word', async () => {
    const { world, use, clock, sent } = await signedIn();
    clock.setWall(0);
    world.answer = () => network('DNS_FAIL', 'no');
    expect((await use()).accessToken.reveal()).toBe('a:one:1');
    world.answer = () => undefined;
    expect((await use()).accessToken.reveal()).toBe('a:one:2');
    await use();
    expect(sent).toHaveLength(2);
  });

  it('keep a failing server to one request in 30 s, however often its token is refused', async () => {
    const { world, refresh, clock, sent } = await signedIn();
    world.answer = () => ({ status: 503 });
    for (let second = 0; second < 60; second += 1) {
      expect(await codeOf(refresh('refused'))).toBe('REFRESH_TRANSIENT');
      clock.advance(1_000);
    }
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('set far back do not turn a short rest into a long one', async () => {
    const { world, refresh, clock, sent } = await signedIn();
    world.answer = () => ({ status: 503 });
    await codeOf(refresh('due'));
    clock.setWall(clock.now() - 365 * 24 * 60 * minutes);
    world.answer = () => undefined;
    await refresh('due');
    expect(sent).toHaveLength(2);
  });
});

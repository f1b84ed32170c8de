import { describe, expect, it } from 'vitest';
import type { Arrived, Behavior } from './kit/honest-answers.ts';
import { createHostileEngine } from './kit/hostile-engine.ts';
import { startWorld } from './kit/hostile-world.ts';
import type { HostileWorld } from './kit/hostile-world.ts';
import { underOracle } from './oracle.ts';

type Responder = (query: URLSearchParams, arrived: Arrived) => Record<string, string>;

/** Sends the browser back with these parameters; the right state is among the parameters of the request. */
const backWith = (respond: Responder): Behavior => {
  return (arrived) => {
    const query = new URL(arrived.request.url ?? '', 'https://auth.test').searchParams;
    const back = new URL(query.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries(respond(query, arrived))) back.searchParams.set(name, value);
    arrived.response.writeHead(302, { location: back.href }).end();
  };
};

async function signInWith(authorize: Behavior, timeToSignIn?: number) {
  const world: HostileWorld = await startWorld({ authorize });
  const engine = createHostileEngine({ ...(timeToSignIn !== undefined && { timeToSignIn }) });
  const verdict = await underOracle(world, engine, { opened: 1 }, () => engine.connect(world.mcpUrl));
  return { world, verdict };
}

const right = (query: URLSearchParams): string => query.get('state') ?? '';

describe('an authorization response', () => {
  it.each<[string, string, Responder]>([
    [
      'another issuer',
      'ISS_MISMATCH',
      (query, { scene }) => ({ code: scene.canaries.code, state: right(query), iss: scene.origins.elsewhere }),
    ],
    [
      'the issuer with a slash',
      'ISS_MISMATCH',
      (query, { scene }) => ({ code: scene.canaries.code, state: right(query), iss: `${scene.origins.auth}/` }),
    ],
    [
      'an empty issuer',
      'ISS_MISMATCH',
      (query, { scene }) => ({ code: scene.canaries.code, state: right(query), iss: '' }),
    ],
    [
      'no issuer although it was promised',
      'ISS_MISSING',
      (query, { scene }) => ({ code: scene.canaries.code, state: right(query) }),
    ],
    [
      'an error of another server',
      'ISS_MISMATCH',
      (query, { scene }) => ({ error: 'access_denied', state: right(query), iss: scene.origins.elsewhere }),
    ],
    [
      'a refusal',
      'USER_DENIED',
      (query, { scene }) => ({
        error: 'access_denied',
        error_description: scene.canaries.taunt,
        state: right(query),
        iss: scene.origins.auth,
      }),
    ],
    [
      'an error that talks',
      'AS_ERROR',
      (query, { scene }) => ({ error: scene.canaries.taunt, state: right(query), iss: scene.origins.auth }),
    ],
    [
      'code and error together',
      'CALLBACK_INVALID',
      (query, { scene }) => ({ code: scene.canaries.code, error: 'x', state: right(query), iss: scene.origins.auth }),
    ],
    [
      'neither code nor error',
      'CALLBACK_INVALID',
      (query, { scene }) => ({ state: right(query), iss: scene.origins.auth }),
    ],
    [
      'a code with a line break',
      'CALLBACK_INVALID',
      (query, { scene }) => ({ code: 'a\r\nb', state: right(query), iss: scene.origins.auth }),
    ],
    [
      'a code of 5 KB',
      'CALLBACK_INVALID',
      (query, { scene }) => ({ code: 'a'.repeat(5_000), state: right(query), iss: scene.origins.auth }),
    ],
    [
      'an access token instead of a code',
      'CALLBACK_INVALID',
      (query, { scene }) => ({ access_token: 'x', token_type: 'Bearer', state: right(query), iss: scene.origins.auth }),
    ],
  ])(
    'with %s sends no code anywhere (AZ-02, AZ-07, AZ-08, AZ-09, AZ-10, AZ-30, AZ-38)',
    async (_what, code, respond) => {
      const { world, verdict } = await signInWith(backWith(respond));
      expect(verdict.code).toBe(code);
      expect(world.count('token')).toBe(0);
    },
  );

  it.each<[string, Responder]>([
    ['another state', (_asked, { scene }) => ({ code: scene.canaries.code, state: 'other', iss: scene.origins.auth })],
    [
      'a state in another case',
      (query, { scene }) => ({
        code: scene.canaries.code,
        state: right(query).toLowerCase().toUpperCase(),
        iss: scene.origins.auth,
      }),
    ],
    [
      'a state with a space',
      (query, { scene }) => ({ code: scene.canaries.code, state: `${right(query)} `, iss: scene.origins.auth }),
    ],
    [
      'a prefix of the state',
      (query, { scene }) => ({ code: scene.canaries.code, state: right(query).slice(0, -1), iss: scene.origins.auth }),
    ],
    ['an empty state', (_asked, { scene }) => ({ code: scene.canaries.code, state: '', iss: scene.origins.auth })],
    ['no state', (_asked, { scene }) => ({ code: scene.canaries.code, iss: scene.origins.auth })],
    [
      'an error and another state',
      (_asked, { scene }) => ({ error: 'access_denied', state: 'other', iss: scene.origins.auth }),
    ],
  ])(
    'with %s changes nothing: the sign-in keeps waiting (AZ-01, AZ-04, AZ-12, AZ-27, AZ-28)',
    async (_what, respond) => {
      const { world, verdict } = await signInWith(backWith(respond), 5_000);
      expect(verdict.code).toBe('STATE_EXPIRED');
      expect(world.count('token')).toBe(0);
    },
  );

  it('that arrives twice leads to one token request (AZ-03)', async () => {
    const world = await startWorld({
      authorize(arrived) {
        backWith((query, { scene }) => ({ code: scene.canaries.code, state: right(query), iss: scene.origins.auth }))(
          arrived,
        );
      },
    });
    const pages: number[] = [];
    const engine = createHostileEngine({
      async user(url) {
        const query = new URL(url).searchParams;
        const parameters = new URLSearchParams({
          code: world.canaries.code,
          state: right(query),
          iss: world.origins.auth,
        });
        const callback = `${query.get('redirect_uri')}?${parameters.toString()}`;
        const answers = await Promise.allSettled([fetch(callback), fetch(callback), fetch(callback)]);
        for (const settled of answers) if (settled.status === 'fulfilled') pages.push(settled.value.status);
      },
    });
    const expected = { opened: 1, stored: ['registration', 'credentials', 'tokens'] };
    const verdict = await underOracle(world, engine, expected, () => engine.connect(world.mcpUrl));
    expect(verdict.code).toBe('ok');
    expect(pages.filter((status) => status === 200)).toHaveLength(1);
    expect(world.count('token')).toBe(1);
    expect(engine.profileText()).toContain('"event":"callback-ignored","code":"STATE_REUSED"');
  });
});

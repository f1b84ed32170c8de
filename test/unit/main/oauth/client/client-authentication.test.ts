import { describe, expect, it } from 'vitest';
import {
  alternativesTo,
  applyClientAuthentication,
  tryInTurn,
  chooseClientAuthentication,
  clientDoubt,
  withAuthentication,
  withChosenMethod,
} from '../../../../../main/oauth/client/client-authentication.ts';
import type { ClientAuthentication } from '../../../../../main/oauth/client/client-authentication.ts';
import {
  createClientKey,
  readClientCredentials,
  storeClientCredentials,
} from '../../../../../main/oauth/client/client-credentials.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { basicPair, clientCredentials, publicClient } from '../../../../support/oauth-fixtures.ts';

const listing = (...methods: string[]) => ({ token_endpoint_auth_methods_supported: methods });

describe('clientDoubt', () => {
  it.each([
    [{ kind: 'refused', name: 'invalid_client' }, 'client'],
    [{ kind: 'refused', name: 'invalid_request', body: 'json' }, 'unread'],
    [{ kind: 'refused', name: 'invalid_request', body: 'empty' }, 'unread'],
    [{ kind: 'refused', name: 'unknown', body: 'empty' }, 'unread'],
    [{ kind: 'refused', name: 'unknown', body: 'json' }, undefined],
    [{ kind: 'refused', name: 'invalid_grant', body: 'json' }, undefined],
    [{ kind: 'busy' }, 'unread'],
    [{ kind: 'busy', retryAfter: 1_000 }, undefined],
  ] as const)('for %j is %s (RFC 6749 section 5.2)', (result, doubt) => {
    expect(clientDoubt(result)).toBe(doubt);
  });
});

describe('chooseClientAuthentication', () => {
  it.each([
    ['client_secret_basic', listing('client_secret_post'), 'client_secret_basic'],
    ['none', listing('client_secret_post'), 'none'],
    [undefined, listing('client_secret_basic', 'client_secret_post'), 'client_secret_post'],
    [undefined, listing('client_secret_basic'), 'client_secret_basic'],
    [undefined, listing('none'), 'none'],
    [undefined, listing('private_key_jwt'), 'client_secret_post'],
    [undefined, listing(), 'client_secret_post'],
    [undefined, undefined, 'client_secret_post'],
  ] as const)(
    'registered as %s, with %j listed, uses %s (RFC 7591 section 3.2.1, spec 4.4)',
    (registered, metadata, method) => {
      const credentials = clientCredentials(registered && { authentication: registered });
      expect(chooseClientAuthentication(credentials, metadata)).toEqual({ method, raw: false });
    },
  );

  it('sends only the client_id if there is no secret (RFC 6749 section 3.2.1)', () => {
    const credentials = publicClient({ authentication: 'client_secret_basic' });
    expect(chooseClientAuthentication(credentials, listing('client_secret_basic'))).toEqual({
      method: 'none',
      raw: false,
    });
  });

  it('remembers that a server expects unencoded Basic credentials', () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic', rawBasic: true });
    expect(chooseClientAuthentication(credentials)).toEqual({ method: 'client_secret_basic', raw: true });
    const other = clientCredentials({ authentication: 'client_secret_post', rawBasic: true });
    expect(chooseClientAuthentication(other)).toEqual({ method: 'client_secret_post', raw: false });
  });
});

describe('alternativesTo', () => {
  const post = { method: 'client_secret_post', raw: false };
  const basic = { method: 'client_secret_basic', raw: false };
  const rawBasic = { method: 'client_secret_basic', raw: true };
  const none = { method: 'none', raw: false };
  const plain = clientCredentials();
  const special = clientCredentials({ clientSecret: new Secret('a+b/c=') });
  const specialId = clientCredentials({ clientId: 'https://client.example/id' });

  it.each([
    [post, plain, undefined, [basic]],
    [basic, plain, undefined, [post]],
    [basic, special, undefined, [rawBasic, post]],
    [basic, specialId, undefined, [rawBasic, post]],
    [rawBasic, special, undefined, [basic, post]],
    [post, special, undefined, [basic, rawBasic]],
    [none, plain, undefined, [post]],
    [none, plain, listing('none', 'client_secret_basic'), [basic]],
    [none, publicClient(), undefined, []],
  ] as [ClientAuthentication, ReturnType<typeof clientCredentials>, undefined, ClientAuthentication[]][])(
    'lists every other method once after %j was refused',
    (first, credentials, metadata, others) => {
      expect(alternativesTo(first, credentials, metadata)).toEqual(others);
    },
  );
});

const apply = async (authentication: ClientAuthentication, id: string, secret: string | undefined) => {
  const body = new URLSearchParams();
  const headers = new Headers();
  const client = { issuerKey: 'https://as.example', ...(secret !== undefined && { clientSecret: new Secret(secret) }) };
  const library = applyClientAuthentication(authentication, client);
  await library({ issuer: 'https://as.example' }, { client_id: id }, body, headers);
  return { fields: Object.fromEntries(body), basic: basicPair(Object.fromEntries(headers)) };
};

describe('applyClientAuthentication', () => {
  it.each([
    ['plain-id_1.x~', 'secret', 'plain-id_1.x~:secret'],
    ['id:1', 's p+a/c=e', 'id%3A1:s%20p%2Ba%2Fc%3De'],
    ['ünï', '☃', '%C3%BCn%C3%AF:%E2%98%83'],
    ['id', '\ud800', 'id:%EF%BF%BD'],
  ])('encodes %j and %j for Basic only as far as needed (RFC 6749 section 2.3.1)', async (id, secret, pair) => {
    const { fields, basic } = await apply({ method: 'client_secret_basic', raw: false }, id, secret);
    expect(basic).toBe(pair);
    expect(fields).toEqual({});
  });

  it('does not encode ID and secret for raw Basic', async () => {
    const { basic } = await apply({ method: 'client_secret_basic', raw: true }, 'id', 's+/=');
    expect(basic).toBe('id:s+/=');
  });

  it('sends ID and secret as form fields for client_secret_post (spec 4.4)', async () => {
    const { fields, basic } = await apply({ method: 'client_secret_post', raw: false }, 'id', 's+/=');
    expect(fields).toEqual({ client_id: 'id', client_secret: 's+/=' });
    expect(basic).toBeUndefined();
  });

  it('never sends an empty secret', async () => {
    const { fields, basic } = await apply({ method: 'client_secret_basic', raw: false }, 'id', undefined);
    expect(fields).toEqual({ client_id: 'id' });
    expect(basic).toBeUndefined();
  });
});

describe('a signed client assertion (RFC 7523 section 2.2)', () => {
  const endpoints = { token_endpoint: 'https://as.example/token' };

  it.each([
    ['the issuer', 'https://as.example', 'https://as.example'],
    ['a typed token endpoint, whose issuer is unverified', 'https://as.example/token', 'https://as.example/token'],
    [
      'the token endpoint, if the issuer is on another host',
      'https://login.example#https://as.example',
      'https://as.example/token',
    ],
  ])('has as its audience %s', async (_, issuerKey, audience) => {
    const clientKey = await createClientKey('ES256');
    const body = new URLSearchParams();
    const way = chooseClientAuthentication(clientCredentials({ clientKey, issuerKey }));
    const library = applyClientAuthentication(way, { clientKey, issuerKey });
    const server = { issuer: 'https://elsewhere.example', ...endpoints };
    await library(server, { client_id: 'me' }, body, new Headers());
    const [, claims = ''] = body.get('client_assertion')?.split('.') ?? [];
    const { aud, iss, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    expect({ aud, iss, sub }).toEqual({ aud: audience, iss: 'me', sub: 'me' });
  });

  it('is the only method of a client with a key: no secret is sent after a refusal', async () => {
    const credentials = clientCredentials({ clientKey: await createClientKey('ES256') });
    const first = chooseClientAuthentication(credentials, listing('client_secret_basic'));
    expect(first).toEqual({ method: 'private_key_jwt', algorithm: 'ES256' });
    expect(alternativesTo(first, credentials, undefined)).toEqual([]);
  });

  it('reuses the stored algorithm if there is no metadata', async () => {
    const { alg: _, ...jwk } = (await createClientKey('RS256')).reveal();
    const credentials = clientCredentials({ clientKey: new Secret(jwk) });
    const chosen = chooseClientAuthentication(credentials, {
      token_endpoint_auth_signing_alg_values_supported: ['PS256'],
    });
    expect(chosen).toMatchObject({ algorithm: 'PS256' });
    expect(chooseClientAuthentication(withAuthentication(credentials, chosen))).toEqual(chosen);
    const stored = readClientCredentials(storeClientCredentials(withAuthentication(credentials, chosen)));
    expect(stored && chooseClientAuthentication(stored)).toEqual(chosen);
  });
});

describe('tryInTurn', () => {
  const post = { method: 'client_secret_post', raw: false } as const;
  const basic = { method: 'client_secret_basic', raw: false } as const;
  const rawBasic = { method: 'client_secret_basic', raw: true } as const;
  const good = { kind: 'accepted' };
  const wrongClient = { kind: 'refused', name: 'invalid_client' } as const;
  const wrongCode = { kind: 'refused', name: 'invalid_grant' } as const;
  const unread = { kind: 'refused', name: 'invalid_request' } as const;
  const lost = new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' });
  const cutOff = new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'cut-off' });
  const unsent = new UnsentRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' });
  const late = new LostRequest('DEADLINE', { stage: 'token' });

  type Step = typeof good | typeof wrongClient | typeof wrongCode | typeof unread | Error;

  async function ask(steps: readonly Step[], settled = false) {
    const tried: ClientAuthentication[] = [];
    const answers = [...steps];
    const over = tryInTurn([post, basic, rawBasic], { settled }, async (way) => {
      tried.push(way);
      const step = answers.shift() ?? wrongCode;
      if (step instanceof Error) throw step;
      return step;
    });
    return { tried, outcome: await over.catch((error: unknown) => error) };
  }

  it.each<[string, readonly Step[], boolean, number, unknown]>([
    ['sends one request if it succeeds', [good], false, 1, { authentication: post, result: good }],
    [
      'sends one request if something other than the client is refused',
      [wrongCode],
      false,
      1,
      { authentication: post, result: wrongCode },
    ],
    [
      'tries the other methods while the client is refused',
      [wrongClient, wrongClient, good],
      false,
      3,
      { authentication: rawBasic, result: good },
    ],
    [
      'returns the first result if every method is refused',
      [wrongClient, wrongClient, wrongClient],
      false,
      3,
      { authentication: post, result: wrongClient },
    ],
    [
      'prefers a result that shows the client was recognized',
      [wrongClient, unread],
      false,
      2,
      { authentication: basic, result: unread },
    ],
    [
      'tries the other method once if the client may not have been recognized',
      [unread, good],
      false,
      2,
      { authentication: basic, result: good },
    ],
    ['tries no third method in that case', [unread, unread, good], false, 2, { authentication: post, result: unread }],
    [
      'returns the first result if the other method is wrong',
      [unread, wrongClient],
      false,
      2,
      { authentication: post, result: unread },
    ],
    [
      'tries nothing else once the method is settled',
      [unread, good],
      true,
      1,
      { authentication: post, result: unread },
    ],
    [
      'tries another method despite a settled one if the client is refused',
      [wrongClient, good],
      true,
      2,
      { authentication: basic, result: good },
    ],
    [
      'tries the other method if the server closed the connection',
      [lost, good],
      false,
      2,
      { authentication: basic, result: good },
    ],
    [
      'tries the other method if the response was cut off',
      [cutOff, good],
      false,
      2,
      { authentication: basic, result: good },
    ],
    ['tries nothing else if the request was never sent', [unsent, good], false, 1, unsent],
    ['throws the first error if the other method fails too', [lost, unread], false, 2, lost],
    [
      'returns the first result if the server closes the second connection',
      [unread, lost],
      false,
      2,
      { authentication: post, result: unread },
    ],
    ['throws if the connection closes after a refused client', [wrongClient, lost], false, 2, lost],
    ['throws at once on a time-out', [late, good], false, 1, late],
    ['throws on a time-out of a later attempt, too', [wrongClient, late], false, 2, late],
  ])('%s', async (_, steps, settled, times, expected) => {
    const { tried, outcome } = await ask(steps, settled);
    expect(tried).toHaveLength(times);
    if (expected instanceof Error) expect(outcome).toBe(expected);
    else expect(outcome).toEqual(expected);
  });
});

describe('withChosenMethod', () => {
  it.each([
    ['nothing chosen', clientCredentials(), undefined],
    ['a client without a secret', publicClient(), 'client_secret_post'],
  ] as const)('changes nothing for %s', (_, credentials, method) => {
    expect(withChosenMethod(credentials, method)).toBe(credentials);
  });

  it('changes nothing for a client with a key', async () => {
    const credentials = clientCredentials({ clientKey: await createClientKey('ES256') });
    expect(withChosenMethod(credentials, 'client_secret_post')).toBe(credentials);
  });

  it('settles the method, and keeps raw Basic only for Basic', () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic', rawBasic: true });
    expect(withChosenMethod(credentials, 'client_secret_basic')).toMatchObject({ rawBasic: true, settled: true });
    const other = withChosenMethod(credentials, 'client_secret_post');
    expect(other).toMatchObject({ authentication: 'client_secret_post', settled: true });
    expect(other).not.toHaveProperty('rawBasic');
  });
});

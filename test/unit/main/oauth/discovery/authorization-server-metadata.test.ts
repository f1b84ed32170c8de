import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import {
  authorizationServerMetadataUrls,
  fetchAuthorizationServerMetadata,
} from '../../../../../main/oauth/discovery/authorization-server-metadata.ts';
import { wrongIssuer } from '../../../../../shared/error-catalog/discovery-errors.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { codeOf, discoveryScript, get, html, notFound, serverMetadata } from '../../../../support/discovery-script.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const as = 'https://as.example';
const oauth = `${as}/.well-known/oauth-authorization-server`;
const openid = `${as}/.well-known/openid-configuration`;

async function fetchWith(script: ScriptedExchange[], issuer = as, isNamed = true, server = 'https://mcp.example/mcp') {
  const { http, context } = discoveryScript(server, script, { local: server.startsWith('http:') });
  try {
    return await fetchAuthorizationServerMetadata(context, { issuer, isNamed });
  } finally {
    http.assertDone();
  }
}

describe('authorizationServerMetadataUrls', () => {
  it.each([
    [as, [oauth, openid]],
    [`${as}/`, [oauth, openid]],
    [`${as}/t`, [`${oauth}/t`, `${openid}/t`, `${as}/t/.well-known/openid-configuration`]],
    [`${as}/t/`, [`${oauth}/t`, `${openid}/t`, `${as}/t/.well-known/openid-configuration`]],
    [`${as}/a/b`, [`${oauth}/a/b`, `${openid}/a/b`, `${as}/a/b/.well-known/openid-configuration`]],
  ])('lists exactly these addresses for %s, in this order (RFC 8414 section 3.1)', (issuer, expected) => {
    expect(authorizationServerMetadataUrls(asChecked(issuer))).toEqual(expected);
  });
});

describe('fetchAuthorizationServerMetadata', () => {
  const metadata = serverMetadata(as);
  const tenant = serverMetadata(`${as}/t`);
  const appended = `${as}/t/.well-known/openid-configuration`;

  it.each<[string, string, ScriptedExchange[], string]>([
    ['the first address', as, [get(oauth, { json: metadata })], oauth],
    ['OpenID after 404', as, [notFound(oauth), get(openid, { json: metadata })], openid],
    ['OpenID after HTML', as, [html(oauth), get(openid, { json: metadata })], openid],
    ['OpenID after a 500', as, [get(oauth, { status: 500 }), get(openid, { json: metadata })], openid],
    [
      'OpenID after another document',
      as,
      [get(oauth, { json: { hello: 1 } }), get(openid, { json: metadata })],
      openid,
    ],
    ['OpenID path insertion', `${as}/t`, [notFound(`${oauth}/t`), get(`${openid}/t`, { json: tenant })], `${openid}/t`],
    [
      'OpenID path appending',
      `${as}/t`,
      [notFound(`${oauth}/t`), html(`${openid}/t`), get(appended, { json: tenant })],
      appended,
    ],
    [
      'a document after a same-origin redirect',
      as,
      [get(oauth, { json: metadata, answeredBy: `${as}/elsewhere` })],
      oauth,
    ],
  ])('uses %s', async (_, issuer, script, url) => {
    expect(await fetchWith(script, issuer)).toMatchObject({ kind: 'found', url, result: { metadata: { issuer } } });
  });

  it('reports nothing found if every address returns 404, without trying the root of a tenant', async () => {
    const script = [notFound(`${oauth}/t`), notFound(`${openid}/t`), notFound(appended)];
    expect(await fetchWith(script, `${as}/t`)).toEqual({ kind: 'missing' });
  });

  it.each<[string, ScriptedExchange, string]>([
    ['HTML', html(oauth), 'CONTENT_TYPE'],
    ['a 503', get(oauth, { status: 503 }), 'ASM_UNAVAILABLE'],
    ['no token endpoint', get(oauth, { json: { ...metadata, token_endpoint: undefined } }), 'SCHEMA_INVALID'],
    ['a token endpoint of the wrong type', get(oauth, { json: { ...metadata, token_endpoint: {} } }), 'SCHEMA_INVALID'],
    ['javascript:', get(oauth, { json: { ...metadata, authorization_endpoint: 'javascript:alert(1)' } }), 'URL_SCHEME'],
    ['ms-msdt:', get(oauth, { json: { ...metadata, authorization_endpoint: 'ms-msdt:/id' } }), 'URL_SCHEME'],
    ['a relative endpoint', get(oauth, { json: { ...metadata, token_endpoint: '/token' } }), 'URL_INVALID'],
    [
      'a backslash',
      get(oauth, { json: { ...metadata, token_endpoint: 'https://as.example\\@evil.example/' } }),
      'URL_INVALID',
    ],
    [
      'user info',
      get(oauth, { json: { ...metadata, token_endpoint: 'https://u:p@as.example/token' } }),
      'URL_USERINFO',
    ],
    [
      'a long endpoint',
      get(oauth, { json: { ...metadata, token_endpoint: `${as}/${'x'.repeat(2_048)}` } }),
      'URL_TOO_LONG',
    ],
    [
      'a hostile registration endpoint',
      get(oauth, { json: { ...metadata, registration_endpoint: 'file:///etc/passwd' } }),
      'URL_SCHEME',
    ],
    ['an unreachable server', get(oauth, { error: new PosternError('TLS_FAIL', { stage: 'discovery' }) }), 'TLS_FAIL'],
  ])('reports the first reason if no document is usable: %s', async (_, exchange, code) => {
    expect(await fetchWith([exchange, notFound(openid)])).toMatchObject({ kind: 'unusable', error: { code } });
  });

  it.each([
    ['a downgraded token endpoint', { token_endpoint: 'http://as.example/token' }, 'URL_DOWNGRADE'],
    ['a downgraded registration endpoint', { registration_endpoint: 'http://as.example/r' }, 'URL_DOWNGRADE'],
    [
      'a downgraded endpoint for pushed requests',
      { pushed_authorization_request_endpoint: 'http://as.example/p' },
      'URL_DOWNGRADE',
    ],
    ['a private token endpoint', { token_endpoint: 'https://192.168.1.1/token' }, 'HOST_BLOCKED'],
    [
      'a loopback authorization endpoint',
      { authorization_endpoint: 'http://127.0.0.1:9000/authorize' },
      'HOST_BLOCKED',
    ],
  ])('skips a document with %s, and reports it if no other is usable', async (_, member, code) => {
    const refused = get(oauth, { json: { ...metadata, ...member } });
    expect(await fetchWith([refused, notFound(openid)])).toMatchObject({ kind: 'unusable', error: { code } });
    const found = await fetchWith([refused, get(openid, { json: metadata })]);
    expect(found).toMatchObject({ kind: 'found', url: openid });
  });

  it.each(['revocation_endpoint', 'device_authorization_endpoint'])(
    'drops a downgraded %s, which is not needed for sign-in',
    async (member) => {
      const found = await fetchWith([get(oauth, { json: { ...metadata, [member]: 'http://as.example/x' } })]);
      expect(found).toMatchObject({ kind: 'found', result: { metadata } });
      expect(found).not.toHaveProperty(`result.metadata.${member}`);
    },
  );

  it('stops at another issuer', async () => {
    const script = [get(oauth, { json: { ...metadata, issuer: 'https://honest.test' } })];
    expect(await codeOf(fetchWith(script))).toBe('ISSUER_MISMATCH');
  });

  it('accepts a token endpoint on another public domain, which the window shows (MD-29)', async () => {
    const google = { ...metadata, token_endpoint: 'https://oauth2.elsewhere.test/token' };
    expect(await fetchWith([get(oauth, { json: google })])).toMatchObject({ kind: 'found' });
  });

  it.each([
    [as, true, `${as}/`, 'trailing-slash'],
    [`${as}/`, true, as, 'trailing-slash'],
    [as, true, 'https://login.as.example', 'subdomain'],
    [as, false, `${as}/oauth`, 'origin'],
    [as, false, `${as}/`, 'trailing-slash'],
  ])(
    'accepts, if asked for %s (named: %s), issuer %s by the exception %s',
    async (issuer, isNamed, published, fallback) => {
      const script = [get(oauth, { json: serverMetadata(published) })];
      expect(await fetchWith(script, issuer, isNamed)).toMatchObject({
        kind: 'found',
        result: { issuerFallback: fallback, metadata: { issuer: published } },
      });
    },
  );

  it.each([
    [true, `${as}/oauth`],
    [false, 'https://elsewhere.test'],
  ])('rejects, if named is %s, issuer %s', async (isNamed, published) => {
    const script = [get(oauth, { json: serverMetadata(published) })];
    // The error blames the one that named the issuer: the service or the server.
    const detail = isNamed ? { host: 'as.example', named: true } : { host: 'as.example' };
    const remedy = isNamed ? wrongIssuer.ofService : wrongIssuer.ofServer;
    await expect(fetchWith(script, as, isNamed)).rejects.toMatchObject({ code: 'ISSUER_MISMATCH', detail, remedy });
  });

  it.each([
    [`${as}#x`, 'URL_FRAGMENT'],
    [`${as}?tenant=1`, 'URL_FRAGMENT'],
    [`${as}/?`, 'URL_FRAGMENT'],
    ['as.example', 'URL_INVALID'],
    ['data:text/html,x', 'URL_SCHEME'],
  ])('sends no request for the issuer %s (RFC 8414 section 2)', async (issuer, code) => {
    expect(await fetchWith([], issuer)).toMatchObject({ kind: 'unusable', error: { code } });
  });

  it.each([
    ['http://as.example', 'URL_DOWNGRADE'],
    ['https://10.0.0.1', 'HOST_BLOCKED'],
    ['https://localhost:9000', 'HOST_BLOCKED'],
    ['https://[::ffff:7f00:1]', 'HOST_BLOCKED'],
  ])('contacts no issuer at %s', async (issuer, code) => {
    expect(await codeOf(fetchWith([], issuer))).toBe(code);
  });

  it('uses plain http on this machine for a local server', async () => {
    const issuer = 'http://localhost:4000';
    const script = [get(`${issuer}/.well-known/oauth-authorization-server`, { json: serverMetadata(issuer) })];
    expect(await fetchWith(script, issuer, true, 'http://localhost:3000/mcp')).toMatchObject({ kind: 'found' });
  });
});

import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import {
  fetchProtectedResourceMetadata,
  resourceMetadataUrls,
} from '../../../../../main/oauth/discovery/protected-resource-metadata.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { codeOf, discoveryScript, get, html, notFound } from '../../../../support/discovery-script.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const server = 'https://mcp.example/mcp';
const pathForm = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
const rootForm = 'https://mcp.example/.well-known/oauth-protected-resource';
const named = 'https://mcp.example/custom/prm.json';
const document = { resource: server, authorization_servers: ['https://as.example'] };

async function fetchWith(script: ScriptedExchange[], resourceMetadata?: string, url = server, local = false) {
  const { http, context } = discoveryScript(url, script, { local });
  const challenge = resourceMetadata === undefined ? undefined : { resourceMetadata };
  try {
    return await fetchProtectedResourceMetadata(context, challenge);
  } finally {
    http.assertDone();
  }
}

const failing = (code: 'DEADLINE' | 'REDIRECT_REFUSED' | 'BODY_TOO_LARGE' | 'HOST_BLOCKED' | 'DNS_REBIND') =>
  new PosternError(code, { stage: 'discovery' });

describe('resourceMetadataUrls', () => {
  it.each([
    ['https://mcp.example', [rootForm]],
    ['https://mcp.example/', [rootForm]],
    ['https://mcp.example/mcp', [pathForm, rootForm]],
    ['https://mcp.example/mcp/', [pathForm, rootForm]],
    ['https://mcp.example/mcp?key=x', [pathForm, rootForm]],
    [
      'https://mcp.example:8443/a/b',
      [
        'https://mcp.example:8443/.well-known/oauth-protected-resource/a/b',
        'https://mcp.example:8443/.well-known/oauth-protected-resource',
      ],
    ],
  ])('inserts the well-known part before the path of %s (RFC 9728 section 3.1)', (url, expected) => {
    expect(resourceMetadataUrls(asChecked(url))).toEqual(expected);
  });
});

describe('fetchProtectedResourceMetadata', () => {
  it.each<[string, string | undefined, ScriptedExchange[], string]>([
    ['the path-based address first', undefined, [get(pathForm, { json: document })], pathForm],
    ['the root address after a 404', undefined, [notFound(pathForm), get(rootForm, { json: document })], rootForm],
    ['the root address after HTML', undefined, [html(pathForm), get(rootForm, { json: document })], rootForm],
    [
      'the root address after a 401',
      undefined,
      [get(pathForm, { status: 401 }), get(rootForm, { json: document })],
      rootForm,
    ],
    [
      'the root address after a 500',
      undefined,
      [get(pathForm, { status: 500 }), get(rootForm, { json: document })],
      rootForm,
    ],
    ['only the address from the challenge', named, [get(named, { json: document })], named],
    [
      'the path-based address named by the challenge, once',
      pathForm,
      [notFound(pathForm), get(rootForm, { json: document })],
      rootForm,
    ],
    [
      'the path-based address after a challenge with a dead link',
      named,
      [notFound(named), get(pathForm, { json: document })],
      pathForm,
    ],
    [
      'the path-based address after HTML at the named address',
      named,
      [html(named), get(pathForm, { json: document })],
      pathForm,
    ],
    [
      'a bare path at the server itself',
      '/custom?a=b',
      [get('https://mcp.example/custom?a=b', { json: document })],
      'https://mcp.example/custom?a=b',
    ],
    [
      'the path-based address after a host without a scheme',
      '//evil.example/prm',
      [get(pathForm, { json: document })],
      pathForm,
    ],
    ['the path-based address after a relative one', 'custom', [get(pathForm, { json: document })], pathForm],
    ['the path-based address after javascript:', 'javascript:alert(1)', [get(pathForm, { json: document })], pathForm],
    [
      'the path-based address after a downgrade',
      'http://mcp.example/prm',
      [get(pathForm, { json: document })],
      pathForm,
    ],
    [
      'the path-based address after a private one',
      'https://10.0.0.1/prm',
      [get(pathForm, { json: document })],
      pathForm,
    ],
    [
      'the path-based address after a redirect elsewhere',
      named,
      [get(named, { error: failing('REDIRECT_REFUSED') }), get(pathForm, { json: document })],
      pathForm,
    ],
    [
      'another public origin over https',
      'https://meta.example/prm',
      [get('https://meta.example/prm', { json: document })],
      'https://meta.example/prm',
    ],
    [
      'the path-based address after a name that resolves to a private address',
      'https://meta.example/prm',
      [get('https://meta.example/prm', { error: failing('HOST_BLOCKED') }), get(pathForm, { json: document })],
      pathForm,
    ],
  ])('fetches %s', async (_, challenge, script, url) => {
    expect(await fetchWith(script, challenge)).toEqual({ kind: 'found', result: document, url, unusableMembers: [] });
  });

  it.each<[string, ScriptedExchange[]]>([
    ['404', [notFound(pathForm), notFound(rootForm)]],
    ['401 and 403', [get(pathForm, { status: 401 }), get(rootForm, { status: 403 })]],
  ])('reports nothing found if all addresses return %s', async (_, script) => {
    expect(await fetchWith(script)).toEqual({ kind: 'missing' });
  });

  it.each<[string, ScriptedExchange, string]>([
    ['HTML', html(pathForm), 'CONTENT_TYPE'],
    ['broken JSON', get(pathForm, { text: '{', headers: { 'content-type': 'application/json' } }), 'JSON_INVALID'],
    ['an array', get(pathForm, { json: [] }), 'SCHEMA_INVALID'],
    [
      'eleven authorization servers',
      get(pathForm, { json: { resource: server, authorization_servers: Array(11).fill('https://a.example') } }),
      'SCHEMA_INVALID',
    ],
    ['a resource with a fragment', get(pathForm, { json: { resource: `${server}#x` } }), 'URL_FRAGMENT'],
    ['503', get(pathForm, { status: 503 }), 'MCP_FAILED'],
    ['429', get(pathForm, { status: 429 }), 'MCP_FAILED'],
    ['too much', get(pathForm, { error: failing('BODY_TOO_LARGE') }), 'BODY_TOO_LARGE'],
    ['nothing in time', get(pathForm, { error: failing('DEADLINE') }), 'DEADLINE'],
  ])('reports the error of an address that returns %s if no other works', async (_, exchange, code) => {
    const attempt = await fetchWith([exchange, notFound(rootForm)]);
    expect(attempt).toMatchObject({ kind: 'unusable', error: { code, stage: 'discovery' } });
  });

  it.each([
    'https://victim.example/mcp',
    'https://mcp.example/other',
    'http://mcp.example/mcp',
    'https://mcp.example\\@mcp.example/mcp',
    'api://mcp',
    'nonsense',
  ])('stops at once if the resource is %s (RFC 9728 section 3.3)', async (resource) => {
    const forms = [get(pathForm, { json: { ...document, resource } })];
    expect(await codeOf(fetchWith(forms))).toBe('RESOURCE_MISMATCH');
  });

  it('names the host that the resource belongs to, in punycode', async () => {
    const forms = [get(pathForm, { json: { ...document, resource: 'https://mсp.example/mcp' } })];
    await expect(fetchWith(forms)).rejects.toMatchObject({ detail: { host: 'xn--mp-omc.example' } });
  });

  it('applies the same rule to the root address and the challenge (RFC 9728 section 7.3)', async () => {
    const other = { ...document, resource: 'https://mcp.example/other-tenant' };
    expect(await codeOf(fetchWith([notFound(pathForm), get(rootForm, { json: other })]))).toBe('RESOURCE_MISMATCH');
    expect(await codeOf(fetchWith([get(named, { json: other })], named))).toBe('RESOURCE_MISMATCH');
  });

  it.each([
    ['https://10.0.0.1/prm', 'HOST_BLOCKED'],
    ['https://169.254.169.254/latest', 'HOST_BLOCKED'],
    ['http://meta.example/prm', 'URL_DOWNGRADE'],
  ])('rejects the challenge %s if no well-known address works (RFC 9728 section 7.7)', async (challenge, code) => {
    expect(await codeOf(fetchWith([notFound(pathForm), notFound(rootForm)], challenge))).toBe(code);
  });

  it('lets a local server name another port of this machine, if local was allowed', async () => {
    const url = 'http://localhost:3000/mcp';
    const elsewhere = 'http://localhost:4000/prm';
    const found = await fetchWith([get(elsewhere, { json: { resource: url } })], elsewhere, url, true);
    expect(found).toMatchObject({ kind: 'found', url: elsewhere });
  });

  it('sends no credentials, follows only same-origin redirects, and limits time and size', async () => {
    const { http, context } = discoveryScript(server, [get(pathForm, { json: document })]);
    await fetchProtectedResourceMetadata(context, undefined);
    expect(http.requests[0]).toMatchObject({
      purpose: 'protected-resource-metadata',
      stage: 'discovery',
      redirects: 'same-origin',
      deadline: 10_000,
      bodyLimit: 256 * 1024,
      headers: { accept: 'application/json' },
    });
    expect(Object.keys(http.requests[0]?.headers ?? {})).not.toContain('authorization');
  });
});

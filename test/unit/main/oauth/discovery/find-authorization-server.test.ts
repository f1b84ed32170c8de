import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import {
  authorizationServerCandidates,
  findAuthorizationServer,
} from '../../../../../main/oauth/discovery/authorization-server-metadata.ts';
import { codeOf, discoveryScript, get, notFound, serverMetadata } from '../../../../support/discovery-script.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const server = new URL('https://mcp.example/mcp');
const [one, two] = ['https://one.example', 'https://two.example'];
const resource = (...authorization_servers: string[]) => ({ resource: server.href, authorization_servers });
const oauth = (issuer: string) => `${issuer}/.well-known/oauth-authorization-server`;
const openid = (issuer: string) => `${issuer}/.well-known/openid-configuration`;
const named = (...issuers: string[]) => issuers.map((issuer) => ({ issuer, isNamed: true }));

async function find(script: ScriptedExchange[], ...issuers: string[]) {
  const { http, context } = discoveryScript(server.href, script);
  try {
    return await findAuthorizationServer(context, named(...issuers));
  } finally {
    http.assertDone();
  }
}

describe('authorizationServerCandidates', () => {
  it.each([
    ['no resource metadata', undefined, undefined, [{ issuer: 'https://mcp.example', isNamed: false }]],
    ['no list', { resource: server.href }, undefined, [{ issuer: 'https://mcp.example', isNamed: false }]],
    ['an empty list', resource(), undefined, [{ issuer: 'https://mcp.example', isNamed: false }]],
    ['several', resource(one, two), undefined, named(one, two)],
    ['one twice', resource(one, one), undefined, named(one)],
    ['a chosen one', resource(one, two), two, named(two)],
    ['a pinned one that is no longer named', resource(one), two, named(one)],
  ])('%s (RFC 9728 section 7.6)', (_, metadata, pinned, expected) => {
    expect(authorizationServerCandidates(server, metadata, pinned)).toEqual(expected);
  });
});

describe('findAuthorizationServer', () => {
  it('uses the first that works, and contacts no other (MD-31)', async () => {
    const found = await find([get(oauth(one), { json: serverMetadata(one) })], one, two);
    expect(found).toMatchObject({ kind: 'found', result: { candidate: { issuer: one }, skipped: 0 } });
  });

  it.each<[string, ScriptedExchange[]]>([
    ['that publishes nothing', [notFound(oauth(one)), notFound(openid(one))]],
    ['of another issuer', [get(oauth(one), { json: serverMetadata('https://honest.test') })]],
    ['on a blocked address', [get(oauth(one), { error: new PosternError('HOST_BLOCKED', { stage: 'discovery' }) })]],
  ])('skips one %s', async (_, exchanges) => {
    const found = await find([...exchanges, get(oauth(two), { json: serverMetadata(two) })], one, two);
    expect(found).toMatchObject({ kind: 'found', result: { candidate: { issuer: two }, skipped: 1 } });
  });

  it('never contacts a blocked IP address', async () => {
    const found = await find([get(oauth(two), { json: serverMetadata(two) })], 'https://169.254.169.254', two);
    expect(found).toMatchObject({ kind: 'found', result: { candidate: { issuer: two } } });
  });

  it('throws the error if none works', async () => {
    const script = [notFound(oauth(one)), notFound(openid(one))];
    expect(await codeOf(find(script, 'https://10.0.0.1', one))).toBe('HOST_BLOCKED');
  });

  it('reserves time for the second if the first is slow', async () => {
    const clock = createFakeClock();
    const late = new PosternError('DEADLINE', { stage: 'discovery' });
    const { http, context } = discoveryScript(
      server.href,
      [
        get(oauth(one), { error: late, onRequest: ({ deadline }) => clock.advance(deadline) }),
        get(oauth(two), { json: serverMetadata(two) }),
      ],
      { clock },
    );
    expect(await findAuthorizationServer(context, named(one, two))).toMatchObject({
      kind: 'found',
      result: { candidate: { issuer: two } },
    });
    expect(http.requests.map(({ deadline }) => deadline)).toEqual([5_000, 5_000]);
  });
});

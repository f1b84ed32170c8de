import { describe, expect, it } from 'vitest';
import { apps } from '../../../../main/apps/table/apps.ts';
import { appBrands, serviceBrands } from '../../../../shared/known-servers/brands.ts';
import { describeScope } from '../../../../renderer/catalog/catalog.ts';
import { findKnownServer, knownServers } from '../../../../shared/known-servers.ts';
import { english } from '../../../../shared/words/english.ts';
import { german } from '../../../../shared/words/german.ts';

const at = (url: string, among: readonly string[] = [], issuer?: string) => ({
  ...{ service: findKnownServer(url)?.name, issuer, among },
});
const gitHub = at('https://api.githubcopilot.com/mcp/');
const { openId, googleAccount, services } = english.permissions;
const unknown = 'https://mcp.example/mcp';

describe('describeScope', () => {
  it('describes the scopes of a known service', () => {
    expect(describeScope(gitHub, 'repo')).toBe(services.GitHub.repo);
  });

  it('describes nothing if the name is ambiguous', () => {
    expect(describeScope(at(unknown), 'repo')).toBeUndefined();
    expect(describeScope(at('https://api.githubcopilot.com.evil.example/mcp/'), 'repo')).toBeUndefined();
    expect(describeScope(gitHub, 'mcp:connect')).toBeUndefined();
  });

  it.each(['openid', 'profile', 'email', 'offline_access'] as const)(
    'describes %s only together with openid',
    (scope) => {
      expect(describeScope(at(unknown, [scope, 'openid']), scope)).toBe(openId[scope]);
      if (scope !== 'openid') expect(describeScope(at(unknown, [scope, 'notes']), scope)).toBeUndefined();
    },
  );

  it('describes Google scopes only for Google', () => {
    const scope = 'https://www.googleapis.com/auth/gmail.readonly';
    expect(describeScope(at(unknown, [], 'https://accounts.google.com'), scope)).toBe(googleAccount[scope]);
    for (const issuer of [undefined, 'https://accounts.google.com.evil.example', 'https://evil.example'])
      expect(describeScope(at(unknown, ['openid'], issuer), scope)).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'openId', ''])('does not describe %j', (scope) => {
    expect(describeScope({ ...gitHub, among: ['openid'] }, scope)).toBeUndefined();
  });

  it('only describes known services, with the same scopes in each language', () => {
    const names = knownServers.map(({ name }) => name);
    expect(Object.keys(services).filter((name) => !names.includes(name))).toEqual([]);
    const scopesOf = ({ permissions }: Pick<typeof english, 'permissions'>) =>
      [permissions.openId, permissions.googleAccount, ...Object.values(permissions.services)].map((each) =>
        Object.keys(each),
      );
    expect(Object.keys(german.permissions.services)).toEqual(Object.keys(services));
    expect(scopesOf(german as typeof english)).toEqual(scopesOf(english));
  });
});

describe('brand drawings', () => {
  it('belong to services of the catalog and to AI apps that Postern knows', () => {
    const names = knownServers.map(({ name }) => name);
    expect(Object.keys(serviceBrands).filter((name) => !names.includes(name))).toEqual([]);
    const ids = apps.map(({ id }) => id);
    expect(Object.keys(appBrands).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

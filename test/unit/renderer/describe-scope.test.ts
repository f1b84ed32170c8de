import { describe, expect, it } from 'vitest';
import { describeScope } from '../../../renderer/integration/describe-scope.ts';
import { german } from '../../../renderer/german.ts';
import { english } from '../../../renderer/words.ts';
import { findKnownServer } from '../../../shared/known-servers/find-known-server.ts';
import { knownServers } from '../../../shared/known-servers.ts';

const at = (url: string): string | undefined => findKnownServer(url)?.name;
const gitHub = at('https://api.githubcopilot.com/mcp/');

describe('describeScope', () => {
  it('has words for what a known service grants', () => {
    expect(describeScope(gitHub, 'repo')).toBe(english.permissions.GitHub.repo);
    expect(describeScope(gitHub, 'email')).toBe(english.permissions.everywhere.email);
  });

  it('has none where the same name may mean anything', () => {
    expect(describeScope(at('https://mcp.example/mcp'), 'repo')).toBeUndefined();
    expect(describeScope(at('https://api.githubcopilot.com.evil.example/mcp/'), 'repo')).toBeUndefined();
    expect(describeScope(gitHub, 'mcp:connect')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'everywhere', ''])('has none for %j', (scope) => {
    expect(describeScope(gitHub, scope)).toBeUndefined();
  });

  it('knows the services that it has words for, and the same scopes in each language', () => {
    const names = knownServers.map(({ name }) => name);
    expect(Object.keys(english.permissions).filter((name) => name !== 'everywhere' && !names.includes(name))).toEqual(
      [],
    );
    for (const [service, scopes] of Object.entries(english.permissions))
      expect(Object.keys((german.permissions as Record<string, object>)[service] ?? {})).toEqual(Object.keys(scopes));
  });
});

import { describe, expect, it } from 'vitest';
import { ruleOf } from '../../../../../main/integration/trace/trace-rule.ts';
import type { RuleSubject } from '../../../../../main/integration/trace/trace-rule.ts';
import { tracePurposes } from '../../../../../shared/trace.ts';

function subject(over: Partial<RuleSubject>): RuleSubject {
  return {
    purpose: 'probe',
    url: 'https://mcp.example/mcp',
    status: 200,
    challenge: undefined,
    isNamed: false,
    rpcMethod: undefined,
    ...over,
  };
}

const prm = 'protected-resource-metadata';
const asm = 'authorization-server-metadata';

describe('ruleOf', () => {
  it.each<[Partial<RuleSubject>, string, string]>([
    [{ status: 401, challenge: { resourceMetadata: 'https://mcp.example/x' } }, 'names the metadata', 'RFC 9728 5.1'],
    [{ status: 401, challenge: {} }, 'without an address', 'RFC 9728 3.1'],
    [{ status: 401 }, 'without an address', 'RFC 9728 3.1'],
    [{ status: 200 }, 'No challenge', 'RFC 9728 3.1'],
    [{ status: undefined }, 'No challenge', 'RFC 9728 3.1'],
    [
      { purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource/mcp' },
      'path form',
      'RFC 9728 3.1',
    ],
    [{ purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource' }, 'root form', 'RFC 9728 3.1'],
    [{ purpose: prm, url: 'https://mcp.example/x', isNamed: true }, 'named', 'RFC 9728 5.1'],
    [{ purpose: asm, url: 'https://as.example/.well-known/oauth-authorization-server/a' }, 'ASM', 'RFC 8414 3.1'],
    [{ purpose: asm, url: 'https://as.example/.well-known/openid-configuration/a' }, 'inserted', 'RFC 8414 5'],
    [{ purpose: asm, url: 'https://as.example/a/.well-known/openid-configuration' }, 'in front', 'Discovery 1.0 4'],
    [{ purpose: asm, url: 'https://as.example/.well-known/openid-configuration' }, 'OpenID form', 'Discovery 1.0 4'],
    [{ purpose: 'registration' }, 'registration', 'RFC 7591'],
    [{ purpose: 'token' }, 'Code for tokens', 'RFC 6749 4.1.3'],
    [{ purpose: 'mcp', rpcMethod: 'tools/list' }, 'MCP tools/list', 'RFC 6750'],
  ])('names the rule of %o', (over, rule, clause) => {
    expect(ruleOf(subject(over)).rule).toContain(rule);
    expect(ruleOf(subject(over)).clause).toContain(clause);
  });

  it.each(tracePurposes)('has a clause for %s', (purpose) => {
    expect(ruleOf(subject({ purpose })).clause).not.toBe('');
  });
});

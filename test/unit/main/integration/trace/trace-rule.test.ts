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
  const named = { status: 401, challenge: { resourceMetadata: 'https://mcp.example/x' } };
  const rules: readonly (readonly [clause: string, ...subjects: Partial<RuleSubject>[]])[] = [
    ['RFC 9728 5.1', named],
    ['RFC 9728 3.1', { status: 401, challenge: {} }, { status: 401 }],
    ['RFC 9728 3.1', { status: 200 }, { status: undefined }],
    ['RFC 9728 3.1', { purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource/mcp' }],
    ['RFC 9728 3.1', { purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource' }],
    ['RFC 9728 5.1', { purpose: prm, url: 'https://mcp.example/x', isNamed: true }],
    ['RFC 8414 3.1', { purpose: asm, url: 'https://as.example/.well-known/oauth-authorization-server/a' }],
    ['RFC 8414 5', { purpose: asm, url: 'https://as.example/.well-known/openid-configuration/a' }],
    ['Discovery 1.0 4', { purpose: asm, url: 'https://as.example/a/.well-known/openid-configuration' }],
    ['Discovery 1.0 4', { purpose: asm, url: 'https://as.example/.well-known/openid-configuration' }],
    ['RFC 7591', { purpose: 'registration' }],
    ['RFC 6749 4.1.3', { purpose: 'token' }],
    ['RFC 6750', { purpose: 'mcp', rpcMethod: 'tools/list' }],
  ];

  it.each(rules)('names %s as the clause of %o', (clause, ...subjects) => {
    const found = subjects.map((over) => ruleOf(subject(over)));
    for (const each of found) expect(each.clause).toContain(clause);
    expect(new Set(found.map(({ rule }) => rule)).size).toBe(1);
  });

  it('has a name of its own for each rule, and of an MCP request says which', () => {
    const names = rules.flatMap(([, over]) => (over ? [ruleOf(subject(over)).rule] : []));
    expect(new Set(names).size).toBe(rules.length);
    expect(names.at(-1)).toContain('tools/list');
  });

  it.each(tracePurposes)('has a clause for %s', (purpose) => {
    expect(ruleOf(subject({ purpose })).clause).not.toBe('');
  });
});

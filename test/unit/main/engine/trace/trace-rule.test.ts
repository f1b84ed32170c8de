import { describe, expect, it } from 'vitest';
import { ruleOf } from '../../../../../main/engine/trace/trace-record.ts';
import type { RuleSubject } from '../../../../../main/engine/trace/trace-record.ts';
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
  const rules: readonly { readonly clause: string; readonly subjects: readonly Partial<RuleSubject>[] }[] = [
    { clause: 'RFC 9728 5.1', subjects: [named] },
    { clause: 'RFC 9728 3.1', subjects: [{ status: 401, challenge: {} }, { status: 401 }] },
    { clause: 'RFC 9728 3.1', subjects: [{ status: 200 }, { status: undefined }] },
    {
      clause: 'RFC 9728 3.1',
      subjects: [{ purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource/mcp' }],
    },
    {
      clause: 'RFC 9728 3.1',
      subjects: [{ purpose: prm, url: 'https://mcp.example/.well-known/oauth-protected-resource' }],
    },
    { clause: 'RFC 9728 5.1', subjects: [{ purpose: prm, url: 'https://mcp.example/x', isNamed: true }] },
    {
      clause: 'RFC 8414 3.1',
      subjects: [{ purpose: asm, url: 'https://as.example/.well-known/oauth-authorization-server/a' }],
    },
    {
      clause: 'RFC 8414 5',
      subjects: [{ purpose: asm, url: 'https://as.example/.well-known/openid-configuration/a' }],
    },
    {
      clause: 'Discovery 1.0 4',
      subjects: [{ purpose: asm, url: 'https://as.example/a/.well-known/openid-configuration' }],
    },
    {
      clause: 'Discovery 1.0 4',
      subjects: [{ purpose: asm, url: 'https://as.example/.well-known/openid-configuration' }],
    },
    { clause: 'RFC 7591', subjects: [{ purpose: 'registration' }] },
    { clause: 'RFC 6749 4.1.3', subjects: [{ purpose: 'token' }] },
    { clause: 'RFC 6750', subjects: [{ purpose: 'mcp', rpcMethod: 'tools/list' }] },
  ];

  it.each(rules)('names $clause as the clause of $subjects', ({ clause, subjects }) => {
    const found = subjects.map((over) => ruleOf(subject(over)));
    for (const each of found) expect(each.clause).toContain(clause);
    expect(new Set(found.map(({ rule }) => rule)).size).toBe(1);
  });

  it('has a unique name for each rule, which includes the MCP method', () => {
    const names = rules.flatMap(({ subjects }) => subjects.slice(0, 1).map((over) => ruleOf(subject(over)).rule));
    expect(new Set(names).size).toBe(rules.length);
    expect(names.at(-1)).toContain('tools/list');
  });

  it.each(tracePurposes)('has a clause for %s', (purpose) => {
    expect(ruleOf(subject({ purpose })).clause).not.toBe('');
  });
});

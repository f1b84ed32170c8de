import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../../../main/cli/output/describe-error.ts';
import { nameScopes } from '../../../../../main/engine/use/use-server.ts';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { refusalIn, RefusedRequest } from '../../../../../main/mcp/http/credential-gate.ts';
import type { Refusal } from '../../../../../main/mcp/http/credential-gate.ts';
import { plainErrorSchema } from '../../../../../shared/plain-error.ts';

const refused = (code: 'SCOPE_REQUIRED' | 'TOKEN_REJECTED', kind: Refusal['kind'], scope?: string) =>
  new RefusedRequest(code, {
    stage: 'connection',
    detail: { host: 'mcp.example' },
    refusal: {
      kind,
      challenge: { error: 'insufficient_scope', ...(scope && { scope }) },
    },
  });
const demand = (scope?: string) => refused('SCOPE_REQUIRED', 'insufficient-scope', scope);

describe('nameScopes', () => {
  it('names what the server wants and the integration lacks (RFC 6750 3.1)', () => {
    const named = nameScopes(demand('a b c'), { scope: 'a', scopeRequested: 'a b' });
    const plain = toPlainError(named);
    expect(plainErrorSchema.parse(plain)).toEqual(plain);
    const told = toCommandError(named, {});
    expect(told.missingScopes).toEqual(['b', 'c']);
    expect(plain.message).toMatch(/^mcp\.example .*"b", "c"\.$/u);
    expect(plain.remedy).toEqual({ kind: 'grant-scopes', answered: false });
    expect(told).not.toHaveProperty('scopeAnswer');
  });

  it('says that the service did not grant what was asked for, and advises something else', () => {
    const named = nameScopes(demand('a b'), { scope: 'a', scopeRequested: 'a b' });
    const plain = toPlainError(named);
    expect(toCommandError(named, {})).toMatchObject({ missingScopes: ['b'], scopeAnswer: 'refused' });
    expect(plain.message).toMatch(/^mcp\.example .*not grant.*"b"\.$/u);
    expect(plain.remedy).toEqual({ kind: 'grant-scopes', answered: true });
  });

  it.each([[{ scope: 'a b', scopeRequested: 'a b' }], [{ scopeRequested: 'a b' }]])(
    'says so where the service says that it granted them (RFC 6749 5.1): %j',
    (kept) => {
      const told = toCommandError(nameScopes(demand('b'), kept), {});
      expect(told).toMatchObject({ missingScopes: ['b'], scopeAnswer: 'granted' });
    },
  );

  it('shows no server text but names of scopes, a few of them, each cut', () => {
    const many = Array.from({ length: 99 }, (_, index) => `scope${index}`);
    const hostile = ['\u202eevil', 'a"b', 'a\\b', 'x'.repeat(500), ...many].join(' ');
    const { message, missingScopes = [] } = toCommandError(nameScopes(demand(hostile), {}), {});
    expect(missingScopes).toHaveLength(20);
    expect(Math.max(...missingScopes.map((name) => name.length))).toBe(80);
    expect(missingScopes.join('')).toMatch(/^[!-~…]+$/);
    expect(message.length).toBeLessThan(260);
    expect(message).toMatch(/"scope0", "scope1"\D+17\D+$/u);
  });

  it('leaves an error alone where the server names none, and any other', () => {
    const unnamed = demand();
    expect(nameScopes(unnamed, {})).toBe(unnamed);
    const bare = new PosternError('SCOPE_REQUIRED', { stage: 'connection' });
    expect(nameScopes(bare, {})).toBe(bare);
    const other = refused('TOKEN_REJECTED', 'unauthorized', 'a');
    expect(nameScopes(other, {})).toBe(other);
  });

  it('keeps what the server said no with, which a sign-in begins with', () => {
    const error = demand('a b');
    expect(refusalIn(nameScopes(error, {}))).toBe(error.refusal);
  });
});

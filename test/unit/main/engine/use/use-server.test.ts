import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../../../main/cli/output/describe-error.ts';
import { withMissingScopes } from '../../../../../main/engine/use/use-server.ts';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { refusalFrom, RefusedRequest } from '../../../../../main/mcp/http/credential-gate.ts';
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

describe('withMissingScopes', () => {
  it('names the scopes that the server requires and the integration lacks (RFC 6750 3.1)', () => {
    const named = withMissingScopes(demand('a b c'), { scope: 'a', scopeRequested: 'a b' });
    const plain = toPlainError(named);
    expect(plainErrorSchema.parse(plain)).toEqual(plain);
    const commandError = toCommandError(named, {});
    expect(commandError.missingScopes).toEqual(['b', 'c']);
    expect(plain.message).toMatch(/^mcp\.example .*“b”, “c”\.$/u);
    expect(plain.remedy).toEqual({ kind: 'grant-scopes', answered: false });
    expect(commandError).not.toHaveProperty('scopeAnswer');
  });

  it('reports that the service did not grant the requested scopes, with another remedy', () => {
    const named = withMissingScopes(demand('a b'), { scope: 'a', scopeRequested: 'a b' });
    const plain = toPlainError(named);
    expect(toCommandError(named, {})).toMatchObject({ missingScopes: ['b'], scopeAnswer: 'refused' });
    expect(plain.message).toMatch(/^mcp\.example .*not grant.*“b”\.$/u);
    expect(plain.remedy).toEqual({ kind: 'grant-scopes', answered: true });
  });

  it.each([[{ scope: 'a b', scopeRequested: 'a b' }], [{ scopeRequested: 'a b' }]])(
    'reports if the service claims to have granted them (RFC 6749 5.1): %j',
    (granted) => {
      const commandError = toCommandError(withMissingScopes(demand('b'), granted), {});
      expect(commandError).toMatchObject({ missingScopes: ['b'], scopeAnswer: 'granted' });
    },
  );

  it('shows no server text except a few scope names, each cut', () => {
    const many = Array.from({ length: 99 }, (_, index) => `scope${index}`);
    const hostile = ['\u202eevil', 'a"b', 'a\\b', 'x'.repeat(500), ...many].join(' ');
    const { message, missingScopes = [] } = toCommandError(withMissingScopes(demand(hostile), {}), {});
    expect(missingScopes).toHaveLength(20);
    expect(Math.max(...missingScopes.map((name) => name.length))).toBe(80);
    expect(missingScopes.join('')).toMatch(/^[!-~…]+$/);
    expect(message.length).toBeLessThan(260);
    expect(message).toMatch(/“scope0”, “scope1”\D+17\D+$/u);
  });

  it('leaves an error alone if the server names no scopes, and any other error', () => {
    const unnamed = demand();
    expect(withMissingScopes(unnamed, {})).toBe(unnamed);
    const bare = new PosternError('SCOPE_REQUIRED', { stage: 'connection' });
    expect(withMissingScopes(bare, {})).toBe(bare);
    const other = refused('TOKEN_REJECTED', 'unauthorized', 'a');
    expect(withMissingScopes(other, {})).toBe(other);
  });

  it('keeps the refusal of the server, which a sign-in starts from', () => {
    const error = demand('a b');
    expect(refusalFrom(withMissingScopes(error, {}))).toBe(error.refusal);
  });
});

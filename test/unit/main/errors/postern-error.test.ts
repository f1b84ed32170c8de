import { describe, expect, it } from 'vitest';
import { crashSite, PosternError, toPlainError } from '../../../../main/errors/postern-error.ts';

describe('toPlainError', () => {
  it('keeps code, stage and the specific code of the cause', () => {
    const cause = new PosternError('DEADLINE', { stage: 'registration', detail: { host: 'as.example' } });
    const plain = toPlainError(new PosternError('DCR_UNSUPPORTED', { stage: 'registration', cause }));
    expect(plain).toMatchObject({
      code: 'DCR_UNSUPPORTED',
      cause: 'DEADLINE',
      stage: 'registration',
      retryable: false,
    });
  });

  it('omits a foreign cause', () => {
    const plain = toPlainError(new PosternError('TLS_FAIL', { stage: 'probe', cause: new Error('CERT_HAS_EXPIRED') }));
    expect(Object.keys(plain).toSorted()).not.toContain('cause');
  });

  it('prefers the remedy of the error to the remedy of its code', () => {
    const remedy = { kind: 'allow-host', host: 'idp.corp' } as const;
    expect(toPlainError(new PosternError('HOST_BLOCKED', { stage: 'probe', remedy })).remedy).toEqual(remedy);
    const typed = new PosternError('HOST_BLOCKED', { stage: 'probe', blame: 'input' });
    expect(toPlainError(typed).remedy.kind).toBe('correct-address');
  });

  it.each([
    ['an error of a library', new TypeError('Invalid header value "Bearer canary-token"')],
    ['a string', 'canary-token'],
    ['nothing', undefined],
  ])('does not reveal %s', (_, error) => {
    const plain = toPlainError(error);
    expect(plain.code).toBe('INTERNAL');
    expect(JSON.stringify(plain)).not.toContain('canary');
  });

  it('omits a cause with the same code', () => {
    const cause = new PosternError('USER_CANCELLED', { stage: 'postern' });
    const plain = toPlainError(new PosternError('USER_CANCELLED', { stage: 'authorization', cause }));
    expect(plain).not.toHaveProperty('cause');
  });
});

describe('crashSite', () => {
  it('contains files, lines and columns, but not the message', () => {
    const error = new TypeError('Bearer canary\n    at canary.ts:1:1');
    expect(crashSite(error)).toMatch(/^postern-error\.test\.ts:\d+:\d+( < |$)/u);
    expect(crashSite(error)).not.toContain('canary');
  });

  it('starts at the innermost cause', () => {
    const cause = new Error('inner');
    const [site] = crashSite(cause)?.split(' < ') ?? [];
    expect(crashSite(new Error('outer', { cause }))?.startsWith(site ?? 'none')).toBe(true);
  });

  it.each([undefined, 'text', { stack: 'at x.ts:1:1' }])('is undefined for %j', (thrown) => {
    expect(crashSite(thrown)).toBeUndefined();
  });
});

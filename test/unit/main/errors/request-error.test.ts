import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../main/errors/request-error.ts';

const certificate = {
  subject: 'CN=as.example',
  issuer: 'CN=as.example',
  validFrom: '2026-01-01T00:00:00.000Z',
  validUntil: '2027-01-01T00:00:00.000Z',
  names: 'as.example',
  fingerprint: '00',
};

describe('a failed request with added details', () => {
  it.each([UnsentRequest, LostRequest])('keeps its class, sent or unsent: %o', (Request) => {
    const cause = new Error('reset');
    const first = new Request('TLS_FAIL', {
      stage: 'probe',
      cause,
      fault: 'certificate-self-signed',
      at: 'proxy',
      certificate,
    });
    const more = first.with({ stage: 'discovery', detail: { host: 'as.example' } });
    expect(more).toBeInstanceOf(Request);
    expect(more.sent).toBe(first.sent);
    expect(more).toMatchObject({
      code: 'TLS_FAIL',
      stage: 'discovery',
      cause,
      fault: 'certificate-self-signed',
      at: 'proxy',
    });
    expect(more.certificate).toEqual(certificate);
    expect(toPlainError(more).remedy).toEqual(toPlainError(first).remedy);
    expect(toPlainError(more).message).toContain('as.example');
  });
});

import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import { notMcpError } from '../../../main/oauth/discovery/discovery.ts';
import { networkFaults } from '../../../shared/error-catalog/network-errors.ts';
import { describeError, errorCodes, quoteServerWords } from '../../../shared/error-codes.ts';
import { remedySchema } from '../../../shared/remedy.ts';
import { describeInGerman } from '../../../shared/words/de/error-words.ts';
import { errorDetails, remediesOf } from '../../support/error-details.ts';

it.each([
  [{ code: -32_000, message: 'No' }, '“No” (code -32000)'],
  [{ message: 'No' }, '“No”'],
  [{ code: -32_000, message: '' }, 'code -32000'],
  [{ message: '' }, ''],
])("includes the server's text: %j", (words, said) => {
  expect(quoteServerWords(words)).toBe(said);
});

const full = {
  host: 'mcp.example.com',
  port: 4711,
  passing: true,
  named: true,
  seconds: 30,
  count: 2,
  error: 'invalid_client',
  name: 'Demo',
  file: 'config.corrupt-1.json',
  field: 'token_endpoint',
};
const commandLine = /--[a-z]|`|postern [a-z]/;

describe('describeError', () => {
  for (const code of errorCodes) {
    it(`describes ${code} and a remedy, with and without detail`, () => {
      for (const detail of [...errorDetails, full]) {
        const { message } = describeError(code, detail);
        expect(message).toMatch(/^\S.{10,}\.$/);
        expect(message).not.toMatch(/undefined|null|NaN|\[object|[{}]|\n| {2}/);
        expect(message.length).toBeLessThanOrEqual(260);
        // The command line has its own words.
        expect(message).not.toMatch(commandLine);
      }
      for (const remedy of remediesOf(code)) {
        expect(remedySchema.parse(remedy)).toEqual(remedy);
        expect(JSON.stringify(remedy)).not.toMatch(commandLine);
      }
    });
  }

  describe.each(networkFaults)('for the fault %s', (fault) => {
    const place = 'mcp.example.com:8443';
    const detail = { fault, place, host: 'mcp.example.com', reason: 'CERT_REVOKED' };

    it('names the problem and the host, with its port', () => {
      for (const more of [{}, { validUntil: 1_577_923_200_000, validFrom: 4_102_444_800_000 }]) {
        const { message } = describeError('CONNECT_FAIL', { ...detail, ...more });
        expect(message).toContain(place);
        expect(message).toMatch(/^\S.{10,}\.$/);
        expect(message).not.toMatch(/undefined|NaN|\n| {2}|\.\./);
        expect(message.length).toBeLessThanOrEqual(260);
      }
    });

    it('names the proxy if it failed, and the host that was not reached', () => {
      const { message } = describeError('PROXY_FAIL', { ...detail, proxy: 'proxy.example:3128' });
      expect(message).toMatch(/proxy proxy\.example:3128/iu);
      expect(message).toContain('mcp.example.com');
      expect(message).not.toContain(place);
    });

    it('appears in an outer error, too', () => {
      const { message } = describeError('CONNECT_FAIL', detail);
      expect(describeError('REFRESH_TRANSIENT', detail).message).toContain(message);
      expect(describeError('DCR_UNSUPPORTED', detail).message).toContain(message);
    });
  });

  it('has a different sentence for each fault', () => {
    const sentences = networkFaults.map((fault) => describeError('CONNECT_FAIL', { fault, place: 'a:1' }).message);
    expect(new Set(sentences).size).toBe(networkFaults.length);
  });

  it('uses no protocol terms in sentences for users', () => {
    for (const code of errorCodes) {
      expect(describeError(code, {}).message).not.toMatch(
        /OAuth|RFC|metadata|endpoint URL|ASM|PRM|DCR|grant_|endpoint_/,
      );
    }
  });

  it('says that a server named its authorization server only if it did', () => {
    expect(describeError('ISSUER_MISMATCH', { host: 'a.example', named: true }).message).toContain('named');
    const own = describeError('ISSUER_MISMATCH', { host: 'a.example' }).message;
    expect(own).not.toContain('named');
    expect(own).toContain('a.example');
  });

  it('adds the probable correction to any sentence, in both languages', () => {
    for (const code of [
      'TOOL_NOT_FOUND',
      'PROMPT_NOT_FOUND',
      'INPUT_REFUSED',
      'NOT_FOUND',
      'ARGUMENTS_UNFIT',
    ] as const) {
      const sentence = describeError(code, {}).message;
      expect(describeError(code, { meant: 'plan' }).message).toBe(`${sentence} Did you mean “plan”?`);
      expect(describeInGerman(code, { meant: 'plan' })).toBe(`${describeInGerman(code, {})} Meinten Sie „plan“?`);
    }
  });

  it("names the service's error code only if it is a known one (RFC 6749 section 5.2)", () => {
    expect(describeError('TOKEN_ERROR', { error: 'invalid_client', status: 401 }).message).toContain('invalid_client');
    expect(describeError('TOKEN_ERROR', { error: 'unknown', status: 401 }).message).not.toContain('unknown');
  });

  it.each([
    [{ seconds: 600 }, 'after 10 minutes'],
    [{ seconds: 60 }, 'after 1 minute'],
    [{ seconds: 3 }, 'after 3 seconds'],
    [{ seconds: 90 }, 'after 90 seconds'],
  ])('names the sign-in timeout: %j', (detail, words) => {
    expect(describeError('STATE_EXPIRED', detail).message).toContain(words);
    expect(describeError('STATE_EXPIRED', {}).message).not.toMatch(/after|\d/u);
  });

  it.each([
    'TOKEN_SERVER_ERROR',
    'TOKEN_RATE_LIMITED',
    'TOKEN_ERROR',
    'REFRESH_TRANSIENT',
    'REFRESH_REVOKED',
    'USER_DENIED',
    'AS_ERROR',
    'DCR_UNSUPPORTED',
    'CREDENTIALS_REQUIRED',
    'ISSUER_MISMATCH',
    'API_KEY_REFUSED',
    'API_KEY_MISSING',
    'API_KEY_INSTEAD',
  ] as const)('names the service in %s', (code) => {
    for (const more of [{}, { named: true }, { status: 503 }, { error: 'unknown', status: 400 }, { retryAt: 1 }])
      expect(describeError(code, { host: 'sign.example:8443', ...more }).message).toContain('sign.example:8443');
  });

  it.each(['TOKEN_SERVER_ERROR', 'TOKEN_RATE_LIMITED', 'TOKEN_ERROR', 'REFRESH_TRANSIENT', 'DCR_UNSUPPORTED'] as const)(
    "names the service's HTTP status: %s",
    (code) => {
      for (const status of [400, 429, 503]) expect(describeError(code, { status }).message).toContain(String(status));
    },
  );

  it.each([
    [404, false],
    [405, false],
    [403, false],
    [429, true],
    [500, true],
  ])('marks a non-MCP response with status %i as retryable only if that can help', (status, retryable) => {
    expect(notMcpError('connection', { status }).retryable).toBe(retryable);
  });

  it('distinguishes an outage from a wrong address (RFC 9110 15.6)', () => {
    expect(toPlainError(notMcpError('connection', { host: 'a.example', status: 503 }))).toMatchObject({
      message: expect.stringMatching(/^a\.example .*503/u),
      remedy: { kind: 'wait', advice: expect.any(String) },
      retryable: true,
    });
    const other = notMcpError('connection', { host: 'a.example', status: 404 });
    expect(toPlainError(other)).toMatchObject({ blame: 'answer', remedy: { kind: 'contact-owner' } });
    expect(toPlainError(other.with({ blame: 'input' })).remedy.kind).toBe('check-address');
  });

  it('lists the first servers that match a reference, and counts the rest, in both languages', () => {
    const detail = { count: 5, candidates: ['“A” (1)', '“B” (2)'] };
    expect(describeError('NOT_FOUND', detail).message).toContain('“A” (1), “B” (2), 3 more');
    expect(describeInGerman('NOT_FOUND', detail)).toContain('“A” (1), “B” (2), 3 weitere');
    expect(describeError('NOT_FOUND', { ...detail, count: 2 }).message).not.toContain('more');
  });
});

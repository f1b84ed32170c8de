import { describe, expect, it } from 'vitest';
import { describeTraceEntry } from '../../../../../main/cli/opening/sign-in-scope.ts';
import type { TraceEntry } from '../../../../../shared/trace.ts';

const entry: TraceEntry = {
  number: 2,
  purpose: 'authorization-server-metadata',
  method: 'GET',
  url: 'https://as.example/.well-known/oauth-authorization-server',
  startedAt: 20,
  milliseconds: 7,
  request: { headers: [{ name: 'accept', value: 'application/json' }], body: [] },
  status: 200,
  response: {
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'date', value: '[hidden, 29 characters]' },
    ],
    body: [{ name: 'registration_access_token', value: '[secret, 9 characters]' }],
  },
  rule: 'ASM',
  clause: 'RFC 8414 3.1',
  verdict: 'stopped',
  code: 'ISSUER_MISMATCH',
};

describe('describeTraceEntry', () => {
  it('describes a request in aligned lines: status and time, hidden fields, the rule and where it stopped', () => {
    const [first, ...lines] = describeTraceEntry(entry, 'Next step.');
    expect(first).toMatch(/^ {2}2 {3}\S.*\b200\b.*\b7 ms$/u);
    expect(lines).toEqual([
      '      GET https://as.example/.well-known/oauth-authorization-server',
      '      > accept  application/json',
      '      < content-type               application/json',
      '      < registration_access_token  [secret, 9 characters]',
      expect.stringMatching(/^ {6}< \(.*date\)$/u),
      expect.stringMatching(/^ {6}= ASM \(RFC 8414 3\.1\): .*\(ISSUER_MISMATCH\)$/u),
      '        Next step.',
    ]);
  });

  it('describes a request without a response', () => {
    const { status: _status, response: _response, milliseconds: _time, ...unanswered } = entry;
    expect(describeTraceEntry(unanswered)[0]).toMatch(/no response$/u);
  });

  it('stays on one line whatever a name or value contains', () => {
    const odd = { name: 'a\nb\u202e', value: 'c\r\nd\u001b[2J' };
    const lines = describeTraceEntry({ ...entry, response: { headers: [odd], body: [] } });
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

import { expect, it } from 'vitest';
import { toPlainError } from '../../../../../main/errors/postern-error.ts';
import { describeRequestFailure } from '../../../../../main/net/http/request-failure.ts';

const failureAt = (url: string) =>
  describeRequestFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), {
    purpose: 'mcp',
    stage: 'connection',
    url: new URL(url),
    sent: 'no',
    answered: false,
    notes: { askedForCertificate: new Set(), refusedCertificate: new Map(), openingThrough: new Map() },
  });

it.each([
  ['https://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:443/mcp', 'mcp.example '],
  ['http://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:8443/mcp', 'mcp.example:8443 '],
  ['http://127.0.0.1:443/mcp', '127.0.0.1:443 '],
])('at %s names the port only where it is not the usual one', (url, named) => {
  const { code, message } = toPlainError(failureAt(url));
  expect(code).toBe('CONNECT_FAIL');
  expect(message.startsWith(named)).toBe(true);
});

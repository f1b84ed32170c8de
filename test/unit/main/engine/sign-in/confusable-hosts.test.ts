import { describe, expect, it } from 'vitest';
import { confusableHosts } from '../../../../../main/engine/sign-in/agree-to-hosts.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const metadata = (endpoint: string) => ({
  issuer: 'https://as.example',
  authorization_endpoint: asChecked(endpoint),
  token_endpoint: asChecked('https://as.example/token'),
});

describe('confusableHosts', () => {
  it.each([
    ['https://xn--pple-43d.com/mcp', undefined, undefined, ['xn--pple-43d.com']],
    ['https://mcp.example/', 'https://xn--pple-43d.com', undefined, ['xn--pple-43d.com']],
    ['https://mcp.example/', 'https://as.example', 'https://xn--pple-43d.com/authorize', ['xn--pple-43d.com']],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com', undefined, ['xn--pple-43d.com']],
    ['https://mcp.example/', 'https://as.example', 'https://as.example/authorize', []],
    ['https://xn--bcher-kva.example/', undefined, undefined, ['xn--bcher-kva.example']],
  ])('returns, for %s, %s and %s, %j, in punycode (IP-02)', (url, issuer, endpoint, expected) => {
    const found = confusableHosts({
      url: asChecked(url),
      ...(issuer !== undefined && { issuerKey: issuer }),
      ...(endpoint !== undefined && { metadata: metadata(endpoint) }),
    });
    expect(found).toEqual(expected);
  });
});

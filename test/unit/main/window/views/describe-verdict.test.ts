import { describe, expect, it } from 'vitest';
import { withTypedEndpoints } from '../../../../../main/oauth/discovery/discover.ts';
import { describeVerdict } from '../../../../../main/window/views/describe-connection.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const { options } = anIntegration();
const policy = { typedHost: 'mcp.example', local: false, allowedHosts: [], allowHttp: false };
const found = {
  url: asChecked('https://mcp.example/mcp'),
  method: 'OAuth',
  metadata: {
    issuer: 'https://as.example',
    authorization_endpoint: asChecked('https://as.example/authorize'),
    token_endpoint: asChecked('https://as.example/token'),
  },
  authorizationServer: 'https://as.example',
  issuerKey: 'https://as.example',
  alternatives: [],
  legacyEndpoints: false,
  notes: [],
} as const;

describe('describeVerdict', () => {
  it.each([
    ['the published issuer', 'https://as.example/token', 'https://as.example'],
    ['no issuer for an unpublished token endpoint', 'https://other.example/token', undefined],
  ])('names %s', (_, token, issuer) => {
    const endpoints = { authorization: 'https://as.example/authorize', token };
    const discovery = withTypedEndpoints(found, { endpoints, policy });
    expect(describeVerdict({ discovery }, { ...options, endpoints }).issuer).toBe(issuer);
  });
});

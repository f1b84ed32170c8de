import { describe, expect, it } from 'vitest';
import { withTypedEndpoints } from '../../../../../main/oauth/discovery/discover.ts';
import type { Discovery } from '../../../../../main/oauth/discovery/discovery.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const policy = { typedHost: 'mcp.example', local: false, allowedHosts: [], allowHttp: false };
const authorization = 'https://login.example/authorize';

const published: Discovery = {
  url: asChecked('https://mcp.example/mcp'),
  method: 'OAuthWithDCR',
  metadata: {
    issuer: 'https://as.example',
    authorization_endpoint: asChecked('https://as.example/authorize'),
    token_endpoint: asChecked('https://as.example/token'),
    registration_endpoint: asChecked('https://as.example/register'),
    revocation_endpoint: asChecked('https://as.example/revoke'),
    pushed_authorization_request_endpoint: asChecked('https://as.example/push'),
    scopes_supported: ['notes'],
    client_id_metadata_document_supported: true,
  },
  authorizationServer: 'https://as.example',
  issuerKey: 'https://as.example',
  alternatives: [],
  legacyEndpoints: false,
  notes: [],
};

const typed = (token: string, discovery = published): Discovery =>
  withTypedEndpoints(discovery, { endpoints: { authorization, token }, policy });

describe('withTypedEndpoints', () => {
  it('keys secrets by a typed token endpoint that differs from the published one, and registers no client', () => {
    const { method, issuerKey: issuer, metadata } = typed('https://other.example/token');
    expect({ method, issuer }).toEqual({ method: 'OAuth', issuer: 'https://other.example/token' });
    // `iss` of a response is still the service's own (RFC 9207 section 2.4).
    expect(metadata).toEqual({
      issuer: 'https://as.example',
      authorization_endpoint: authorization,
      token_endpoint: 'https://other.example/token',
      scopes_supported: ['notes'],
    });
  });

  it('revokes at the published address only on the origin of the typed token endpoint (RFC 7009)', () => {
    expect(typed('https://as.example/v2/token').metadata?.revocation_endpoint).toBe('https://as.example/revoke');
    expect(typed('https://as.example/v2/token').issuerKey).toBe('https://as.example/v2/token');
  });

  it('pushes requests, which carry the client secret, only on the origin of the typed token endpoint (RFC 9126)', () => {
    const pushedAt = (token: string) => typed(token).metadata?.pushed_authorization_request_endpoint;
    expect(pushedAt('https://as.example/v2/token')).toBe('https://as.example/push');
    expect(pushedAt('https://other.example/token')).toBeUndefined();
  });

  it('keeps using stored secrets if the typed token endpoint is the published one', () => {
    const { method, issuerKey: issuer, metadata } = typed('https://AS.example:443/token');
    expect({ method, issuer }).toEqual({ method: 'OAuthWithDCR', issuer: 'https://as.example' });
    expect(metadata).toEqual({ ...published.metadata, authorization_endpoint: authorization });
  });

  it('keys secrets by the token endpoint if nothing is published', () => {
    const { metadata: _, authorizationServer: __, issuerKey: ___, ...unpublished } = published;
    const found = typed('https://other.example/token', { ...unpublished, method: 'NoAuth', reason: 'PRM_MISSING' });
    expect(found).toMatchObject({ method: 'OAuth', issuerKey: 'https://other.example/token' });
    expect(found.reason).toBeUndefined();
  });

  it('is idempotent, since the second discovery applies it again', () => {
    const once = typed('https://other.example/token');
    expect(
      typed('https://other.example/token', { ...once, ...(published.metadata && { metadata: published.metadata }) }),
    ).toEqual(once);
  });
});

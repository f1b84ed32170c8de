import { describe, expect, it } from 'vitest';
import { findUnmetDemand, tokenBindingNeed } from '../../../../../main/oauth/discovery/unmet-demand.ts';
import type {
  AuthorizationServerMetadata,
  ProtectedResourceMetadata,
} from '../../../../../main/oauth/http/metadata-schemas.ts';
import type { TokenChallenge } from '../../../../../main/oauth/http/response-headers.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const metadata: AuthorizationServerMetadata = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked('https://as.example/token'),
};
const resourceMetadata: ProtectedResourceMetadata = { resource: url };
const offering = { ...metadata, dpop_signing_alg_values_supported: ['RS256', 'ES256'] };

describe('requests tokens bound to a key (RFC 9449, DP-07)', () => {
  it.each<
    [string, AuthorizationServerMetadata, Partial<ProtectedResourceMetadata>, TokenChallenge | undefined, unknown]
  >([
    ['not if the service does not support it', metadata, {}, { dpop: {} }, undefined],
    ['if the service supports it and the server says nothing', offering, {}, undefined, 'offered'],
    ['if the server names DPoP and Bearer', offering, {}, { dpop: {} }, 'offered'],
    [
      'if the server metadata lists the algorithm',
      offering,
      { dpop_signing_alg_values_supported: ['ES256'] },
      {},
      'offered',
    ],
    ['not if the server names only Bearer', offering, {}, {}, undefined],
    ['not if the server requires other proof algorithms', offering, {}, { dpop: { algs: ['ES512'] } }, undefined],
    [
      'not if the service requires other proof algorithms',
      { ...metadata, dpop_signing_alg_values_supported: ['none', 'HS256'] },
      {},
      { dpop: {} },
      undefined,
    ],
    ['always if the server names only DPoP', metadata, {}, { dpop: { only: true } }, 'demanded'],
    [
      'always if the server metadata requires it',
      metadata,
      { dpop_bound_access_tokens_required: true },
      {},
      'demanded',
    ],
    ['always if the service requires it', { ...metadata, dpop_bound_access_tokens: true }, {}, {}, 'demanded'],
  ])('%s', (_, published, ofServer, challenge, expected) => {
    const discovery = {
      metadata: published,
      resourceMetadata: { ...resourceMetadata, ...ofServer },
      ...(challenge && { challenge }),
    };
    expect(tokenBindingNeed(discovery)).toBe(expected);
    expect(findUnmetDemand({ ...discovery, url })).toBeUndefined();
  });

  it('always if the registration requires it (RFC 9449 section 5.2)', () => {
    expect(tokenBindingNeed({ metadata, challenge: {} }, { bindsTokens: true })).toBe('demanded');
  });
});

it.each<[string, Parameters<typeof findUnmetDemand>[0], string]>([
  [
    'the service',
    {
      url,
      metadata: { ...metadata, dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['none', 'HS256'] },
    },
    'as.example',
  ],
  ['the server', { url, metadata: offering, challenge: { dpop: { only: true, algs: ['EdDSA'] } } }, 'mcp.example'],
  [
    'the server metadata',
    {
      url,
      metadata: offering,
      resourceMetadata: {
        ...resourceMetadata,
        dpop_bound_access_tokens_required: true,
        dpop_signing_alg_values_supported: ['ES384'],
      },
    },
    'mcp.example',
  ],
])('cannot meet a demand of %s for other proof algorithms (DP-07)', (_, documents, host) => {
  expect(findUnmetDemand(documents)).toEqual({ demand: 'dpop', host });
});

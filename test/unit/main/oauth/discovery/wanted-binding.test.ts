import { describe, expect, it } from 'vitest';
import { unmetDemand, wantedBinding } from '../../../../../main/oauth/discovery/unmet-demand.ts';
import type {
  AuthorizationServerMetadata,
  ProtectedResourceMetadata,
} from '../../../../../main/oauth/wire/messages.ts';
import type { TokenChallenge } from '../../../../../main/oauth/wire/response-headers.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const metadata: AuthorizationServerMetadata = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked('https://as.example/token'),
};
const resourceMetadata: ProtectedResourceMetadata = { resource: url };
const offering = { ...metadata, dpop_signing_alg_values_supported: ['RS256', 'ES256'] };

describe('tokens are asked for with a key to be bound to (RFC 9449, DP-07)', () => {
  it.each<
    [string, AuthorizationServerMetadata, Partial<ProtectedResourceMetadata>, TokenChallenge | undefined, unknown]
  >([
    ['not where the service does not offer it', metadata, {}, { dpop: {} }, undefined],
    ['where it does, and the server says nothing', offering, {}, undefined, 'offered'],
    ['where the server names DPoP beside Bearer', offering, {}, { dpop: {} }, 'offered'],
    [
      'where the metadata of the server lists how',
      offering,
      { dpop_signing_alg_values_supported: ['ES256'] },
      {},
      'offered',
    ],
    ['not where the server names Bearer alone', offering, {}, {}, undefined],
    ['not where the server wants other proofs', offering, {}, { dpop: { algs: ['ES512'] } }, undefined],
    [
      'not where the service wants others',
      { ...metadata, dpop_signing_alg_values_supported: ['none', 'HS256'] },
      {},
      { dpop: {} },
      undefined,
    ],
    ['in any case where the server names DPoP alone', metadata, {}, { dpop: { only: true } }, 'demanded'],
    [
      'in any case where its metadata demands it',
      metadata,
      { dpop_bound_access_tokens_required: true },
      {},
      'demanded',
    ],
    ['in any case where the service demands it', { ...metadata, dpop_bound_access_tokens: true }, {}, {}, 'demanded'],
  ])('%s', (_, published, ofServer, challenge, expected) => {
    const discovery = {
      metadata: published,
      resourceMetadata: { ...resourceMetadata, ...ofServer },
      ...(challenge && { challenge }),
    };
    expect(wantedBinding(discovery)).toBe(expected);
    expect(unmetDemand({ ...discovery, url })).toBeUndefined();
  });

  it('in any case where the registration demands it (RFC 9449 section 5.2)', () => {
    expect(wantedBinding({ metadata, challenge: {} }, { bindsTokens: true })).toBe('demanded');
  });
});

it.each<[string, Parameters<typeof unmetDemand>[0], string]>([
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
    'the metadata of the server',
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
])('a demand for proofs of another kind by %s cannot be met (DP-07)', (_, documents, host) => {
  expect(unmetDemand(documents)).toEqual({ demand: 'dpop', host });
});

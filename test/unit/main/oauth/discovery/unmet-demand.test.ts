import { describe, expect, it } from 'vitest';
import {
  demandOfClient,
  refuseUnmetDemand,
  unmetDemand,
  UnmetDemand,
} from '../../../../../main/oauth/discovery/unmet-demand.ts';
import type { AuthorizationServerMetadata } from '../../../../../main/oauth/wire/messages.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const published: AuthorizationServerMetadata = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked('https://as.example/token'),
};
const par = asChecked('https://as.example/par');

const documents = (metadata: Partial<AuthorizationServerMetadata>) => ({
  url,
  metadata: { ...published, ...metadata },
});
const demandedBy = (
  metadata: Partial<AuthorizationServerMetadata>,
  grant?: Parameters<typeof unmetDemand>[1],
): string | undefined => unmetDemand(documents(metadata), grant)?.demand;

describe('a service that is signed in to on a page demands', () => {
  it.each<[string, Partial<AuthorizationServerMetadata>, string | undefined]>([
    ['nothing where it says nothing', {}, undefined],
    [
      'pushed requests that it has no endpoint for (RFC 9126 5)',
      { require_pushed_authorization_requests: true },
      'pushed-request',
    ],
    [
      'nothing where it has the endpoint',
      { require_pushed_authorization_requests: true, pushed_authorization_request_endpoint: par },
      undefined,
    ],
    ['signed requests (RFC 9101 10.5)', { require_signed_request_object: true }, 'signed-request'],
    ['nothing where it says that it needs none signed', { require_signed_request_object: false }, undefined],
    ['a response other than a code', { response_types_supported: ['token'] }, 'response-type'],
    ['nothing where a code is among them', { response_types_supported: ['token', 'code'] }, undefined],
    ['nothing by an empty list', { response_types_supported: [], grant_types_supported: [] }, undefined],
    ['a grant other than a code', { grant_types_supported: ['client_credentials'] }, 'grant-type'],
    ['an answer in a form', { response_modes_supported: ['form_post'] }, 'response-mode'],
    ['a certificate (RFC 8705)', { token_endpoint_auth_methods_supported: ['tls_client_auth'] }, 'client-key'],
    ['a secret that signs', { token_endpoint_auth_methods_supported: ['client_secret_jwt'] }, 'secret-signature'],
    [
      'nothing where a secret will do',
      { token_endpoint_auth_methods_supported: ['tls_client_auth', 'client_secret_basic'] },
      undefined,
    ],
    ['nothing where a key of ours will do', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }, undefined],
    [
      'a key that signs as ours cannot',
      {
        token_endpoint_auth_methods_supported: ['private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['ES512'],
      },
      'client-key',
    ],
    [
      'a certificate also where our signatures are known',
      {
        token_endpoint_auth_methods_supported: ['tls_client_auth'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256'],
      },
      'client-key',
    ],
    [
      'proofs that ours are none of (RFC 9449 5.1)',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['ES512'] },
      'dpop',
    ],
    [
      'nothing by an empty list of proofs',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: [] },
      undefined,
    ],
    [
      'nothing where our proof is among them',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['ES512', 'ES256'] },
      undefined,
    ],
    ['nothing where it only offers to bind', { dpop_signing_alg_values_supported: ['ES512'] }, undefined],
  ])('%s', (_, metadata, demand) => {
    expect(demandedBy(metadata)).toBe(demand);
  });
});

describe('a service that is signed in to without a page of ours demands', () => {
  it.each<[Parameters<typeof unmetDemand>[1], string[], string | undefined]>([
    ['client-credentials', ['authorization_code'], 'client-grant'],
    ['client-credentials', ['client_credentials'], undefined],
    ['jwt-bearer', ['authorization_code'], 'assertion-grant'],
    ['jwt-bearer', ['urn:ietf:params:oauth:grant-type:jwt-bearer'], undefined],
    ['enterprise', ['client_credentials'], 'assertion-grant'],
    // Who has the endpoint has the grant (RFC 8628 section 4).
    ['device-code', ['authorization_code'], undefined],
  ])('for %s, with the grants %j: %s', (grant, grants, demand) => {
    expect(demandedBy({ grant_types_supported: grants }, grant)).toBe(demand);
  });

  it('nothing of a page, since it sees none', () => {
    expect(demandedBy({ require_signed_request_object: true }, 'client-credentials')).toBeUndefined();
  });
});

it('names the host that demands it, and asks nothing of a server without a service', () => {
  expect(unmetDemand(documents({ require_signed_request_object: true }))).toEqual({
    demand: 'signed-request',
    host: 'as.example',
  });
  expect(unmetDemand({ url })).toBeUndefined();
});

it('refuses such a service before anything is sent, and no other', () => {
  expect(() => refuseUnmetDemand(documents({ require_signed_request_object: true }))).toThrow(UnmetDemand);
  expect(() => refuseUnmetDemand(documents({}))).not.toThrow();
});

describe('the answer to a registration demands (RFC 7591 section 2)', () => {
  it.each<[string, Record<string, unknown>, Parameters<typeof demandOfClient>[1], boolean, string | undefined]>([
    ['nothing where it says nothing', {}, {}, false, undefined],
    [
      'proofs that ours are none of',
      { dpop_bound_access_tokens: true },
      { dpop_signing_alg_values_supported: ['ES512'] },
      false,
      'dpop',
    ],
    [
      'nothing where ours will do',
      { dpop_bound_access_tokens: true },
      { dpop_signing_alg_values_supported: ['ES256'] },
      false,
      undefined,
    ],
    ['nothing where none are asked for', {}, { dpop_signing_alg_values_supported: ['ES512'] }, false, undefined],
    ['a certificate (RFC 8705 3.4)', { tls_client_certificate_bound_access_tokens: true }, {}, false, 'certificate'],
    [
      'pushed requests without an endpoint (RFC 9126 6)',
      { require_pushed_authorization_requests: true },
      {},
      false,
      'pushed-request',
    ],
    [
      'nothing where there is the endpoint',
      { require_pushed_authorization_requests: true },
      { pushed_authorization_request_endpoint: par },
      false,
      undefined,
    ],
    ['signed requests (RFC 9101 10.5)', { require_signed_request_object: true }, {}, false, 'signed-request'],
    ['a key, of a client without one', { token_endpoint_auth_method: 'private_key_jwt' }, {}, false, 'client-key'],
    ['nothing of a client with its key', { token_endpoint_auth_method: 'private_key_jwt' }, {}, true, undefined],
    [
      'a certificate also of a client with a key',
      { token_endpoint_auth_method: 'tls_client_auth' },
      {},
      true,
      'client-key',
    ],
    ['nothing by what is no name of a way', { token_endpoint_auth_method: 7 }, {}, false, undefined],
  ])('%s', (_, client, metadata, hasKey, demand) => {
    expect(demandOfClient(client, metadata, hasKey)).toBe(demand);
  });
});

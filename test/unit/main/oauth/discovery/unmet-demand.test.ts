import { describe, expect, it } from 'vitest';
import {
  demandOfClient,
  refuseUnmetDemand,
  findUnmetDemand,
  UnmetDemand,
} from '../../../../../main/oauth/discovery/unmet-demand.ts';
import type { AuthorizationServerMetadata } from '../../../../../main/oauth/http/metadata-schemas.ts';
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
  grant?: Parameters<typeof findUnmetDemand>[1],
): string | undefined => findUnmetDemand(documents(metadata), grant)?.demand;

describe('a service with a sign-in page demands', () => {
  it.each<[string, Partial<AuthorizationServerMetadata>, string | undefined]>([
    ['nothing by default', {}, undefined],
    [
      'pushed requests without publishing an endpoint (RFC 9126 5)',
      { require_pushed_authorization_requests: true },
      'pushed-request',
    ],
    [
      'nothing if it publishes the endpoint',
      { require_pushed_authorization_requests: true, pushed_authorization_request_endpoint: par },
      undefined,
    ],
    ['signed requests (RFC 9101 10.5)', { require_signed_request_object: true }, 'signed-request'],
    ['nothing if signed requests are optional', { require_signed_request_object: false }, undefined],
    ['a response other than a code', { response_types_supported: ['token'] }, 'response-type'],
    ['nothing if a code is listed, too', { response_types_supported: ['token', 'code'] }, undefined],
    ['nothing with an empty list', { response_types_supported: [], grant_types_supported: [] }, undefined],
    ['a grant other than a code', { grant_types_supported: ['client_credentials'] }, 'grant-type'],
    ['a form_post response', { response_modes_supported: ['form_post'] }, 'response-mode'],
    ['a certificate (RFC 8705)', { token_endpoint_auth_methods_supported: ['tls_client_auth'] }, 'client-key'],
    [
      'a signature with the client secret',
      { token_endpoint_auth_methods_supported: ['client_secret_jwt'] },
      'secret-signature',
    ],
    [
      'nothing if a secret is accepted, too',
      { token_endpoint_auth_methods_supported: ['tls_client_auth', 'client_secret_basic'] },
      undefined,
    ],
    [
      'nothing if a key that Postern supports is accepted',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      undefined,
    ],
    [
      'a key with an unsupported algorithm',
      {
        token_endpoint_auth_methods_supported: ['private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['ES512'],
      },
      'client-key',
    ],
    [
      'a certificate even if our algorithms are listed',
      {
        token_endpoint_auth_methods_supported: ['tls_client_auth'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256'],
      },
      'client-key',
    ],
    [
      'proofs with unsupported algorithms (RFC 9449 5.1)',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['ES512'] },
      'dpop',
    ],
    [
      'nothing with an empty list of proof algorithms',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: [] },
      undefined,
    ],
    [
      'nothing if our proof algorithm is listed',
      { dpop_bound_access_tokens: true, dpop_signing_alg_values_supported: ['ES512', 'ES256'] },
      undefined,
    ],
    ['nothing if binding is optional', { dpop_signing_alg_values_supported: ['ES512'] }, undefined],
  ])('%s', (_, metadata, demand) => {
    expect(demandedBy(metadata)).toBe(demand);
  });
});

describe('a service without a sign-in page demands', () => {
  it.each<[Parameters<typeof findUnmetDemand>[1], string[], string | undefined]>([
    ['client-credentials', ['authorization_code'], 'client-grant'],
    ['client-credentials', ['client_credentials'], undefined],
    ['jwt-bearer', ['authorization_code'], 'assertion-grant'],
    ['jwt-bearer', ['urn:ietf:params:oauth:grant-type:jwt-bearer'], undefined],
    ['enterprise', ['client_credentials'], 'assertion-grant'],
    // Publishing the endpoint implies the grant (RFC 8628 section 4).
    ['device-code', ['authorization_code'], undefined],
  ])('for %s, with the grants %j: %s', (grant, grants, demand) => {
    expect(demandedBy({ grant_types_supported: grants }, grant)).toBe(demand);
  });

  it('nothing that concerns a page', () => {
    expect(demandedBy({ require_signed_request_object: true }, 'client-credentials')).toBeUndefined();
  });
});

it('names the demanding host, and finds no demand without an authorization server', () => {
  expect(findUnmetDemand(documents({ require_signed_request_object: true }))).toEqual({
    demand: 'signed-request',
    host: 'as.example',
  });
  expect(findUnmetDemand({ url })).toBeUndefined();
});

it('refuses only such a service, before anything is sent', () => {
  expect(() => refuseUnmetDemand(documents({ require_signed_request_object: true }))).toThrow(UnmetDemand);
  expect(() => refuseUnmetDemand(documents({}))).not.toThrow();
});

describe('a registration response demands (RFC 7591 section 2)', () => {
  it.each<[string, Record<string, unknown>, Parameters<typeof demandOfClient>[1], boolean, string | undefined]>([
    ['nothing by default', {}, {}, false, undefined],
    [
      'proofs with unsupported algorithms',
      { dpop_bound_access_tokens: true },
      { dpop_signing_alg_values_supported: ['ES512'] },
      false,
      'dpop',
    ],
    [
      'nothing if ours is supported',
      { dpop_bound_access_tokens: true },
      { dpop_signing_alg_values_supported: ['ES256'] },
      false,
      undefined,
    ],
    ['nothing if binding is not required', {}, { dpop_signing_alg_values_supported: ['ES512'] }, false, undefined],
    ['a certificate (RFC 8705 3.4)', { tls_client_certificate_bound_access_tokens: true }, {}, false, 'certificate'],
    [
      'pushed requests without an endpoint (RFC 9126 6)',
      { require_pushed_authorization_requests: true },
      {},
      false,
      'pushed-request',
    ],
    [
      'nothing if the endpoint is published',
      { require_pushed_authorization_requests: true },
      { pushed_authorization_request_endpoint: par },
      false,
      undefined,
    ],
    ['signed requests (RFC 9101 10.5)', { require_signed_request_object: true }, {}, false, 'signed-request'],
    ['a key from a client without one', { token_endpoint_auth_method: 'private_key_jwt' }, {}, false, 'client-key'],
    ['nothing from a client with a key', { token_endpoint_auth_method: 'private_key_jwt' }, {}, true, undefined],
    [
      'a certificate even from a client with a key',
      { token_endpoint_auth_method: 'tls_client_auth' },
      {},
      true,
      'client-key',
    ],
    ['nothing with an invalid method', { token_endpoint_auth_method: 7 }, {}, false, undefined],
  ])('%s', (_, client, metadata, hasKey, demand) => {
    expect(demandOfClient(client, metadata, hasKey)).toBe(demand);
  });
});

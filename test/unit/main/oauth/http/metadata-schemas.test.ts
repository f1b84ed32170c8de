import { describe, expect, it } from 'vitest';
import { maxAuthorizationServers } from '../../../../../main/limits.ts';
import {
  authorizationServerMetadataSchema,
  protectedResourceMetadataSchema,
} from '../../../../../main/oauth/http/metadata-schemas.ts';

const metadata = {
  issuer: 'https://as.example',
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
};
type Document = Readonly<Record<string, unknown>>;
const servers = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://as${index === 0 ? '' : index}.example`);

describe('protectedResourceMetadataSchema', () => {
  it.each([
    ['only the resource', { resource: 'https://mcp.example' }],
    ['empty members', { resource: 'https://mcp.example', authorization_servers: null, scopes_supported: null }],
    ['a name of the wrong type', { resource: 'https://mcp.example', resource_name: 5 }],
    ['unknown members', { resource: 'https://mcp.example', jwks: [], x: {} }],
    [
      'lists of the wrong type',
      { resource: 'https://mcp.example', scopes_supported: {}, authorization_servers: false },
    ],
  ])('accepts %s (RFC 9728 section 2)', (_, document) => {
    expect(protectedResourceMetadataSchema.parse(document)).toEqual({ resource: 'https://mcp.example' });
  });

  it.each([
    ['no resource', {}],
    ['an empty resource', { resource: '' }],
    ['a resource that is a number', { resource: 5 }],
    ['an object of servers', { resource: 'https://mcp.example', authorization_servers: {} }],
    ['an object as a server', { resource: 'https://mcp.example', authorization_servers: [{}] }],
    ['null', null],
    ['an array', []],
    ['true', true],
  ])('refuses %s (MD-10)', (_, document) => {
    expect(protectedResourceMetadataSchema.safeParse(document).success).toBe(false);
  });

  it.each<[string, Document, Document]>([
    ['one server as a string', { authorization_servers: 'https://as.example' }, { authorization_servers: servers(1) }],
    [
      'a server next to invalid entries',
      { authorization_servers: [null, {}, 'https://as.example', 5] },
      { authorization_servers: servers(1) },
    ],
    ['scopes as a string', { scopes_supported: 'a b' }, { scopes_supported: ['a', 'b'] }],
    ['a scope next to invalid entries', { scopes_supported: [null, 'a', {}] }, { scopes_supported: ['a'] }],
    ['a flag as a string', { dpop_bound_access_tokens_required: 'true' }, { dpop_bound_access_tokens_required: true }],
  ])('reads %s, entry by entry', (_, members, read) => {
    const resource = 'https://mcp.example';
    expect(protectedResourceMetadataSchema.parse({ resource, ...members })).toEqual({ resource, ...read });
  });

  it.each([
    [maxAuthorizationServers - 1, true],
    [maxAuthorizationServers, true],
    [maxAuthorizationServers + 1, false],
    [10_000, false],
  ])('limits the authorization servers: %i gives %s (MD-31)', (count, success) => {
    const document = { resource: 'https://mcp.example', authorization_servers: servers(count) };
    expect(protectedResourceMetadataSchema.safeParse(document).success).toBe(success);
  });
});

describe('authorizationServerMetadataSchema', () => {
  it('drops null, empty and unknown members (RFC 8414 section 2)', () => {
    const document = {
      ...metadata,
      registration_endpoint: '',
      scopes_supported: null,
      code_challenge_methods_supported: null,
      authorization_response_iss_parameter_supported: null,
      jwks_uri: 7,
    };
    expect(authorizationServerMetadataSchema.parse(document)).toEqual(metadata);
  });

  it.each([
    { issuer: 5 },
    { issuer: undefined },
    { authorization_endpoint: undefined },
    { token_endpoint: null },
    { token_endpoint: 5 },
  ])('refuses %j (MD-10)', (member) => {
    expect(authorizationServerMetadataSchema.safeParse({ ...metadata, ...member }).success).toBe(false);
  });

  it.each([
    [undefined, false],
    [['authorization_code', 'refresh_token'], false],
    [['implicit'], false],
    [['client_credentials'], true],
  ])('needs no sign-in page if the grants are %j: %s (RFC 8414 section 2)', (grant_types_supported, success) => {
    const { authorization_endpoint: _, ...others } = { ...metadata, grant_types_supported };
    expect(authorizationServerMetadataSchema.safeParse(others).success).toBe(success);
  });

  it.each<[Document, Document?]>([
    [{ registration_endpoint: false }],
    [{ registration_endpoint: {} }],
    [{ pushed_authorization_request_endpoint: 5 }],
    [{ revocation_endpoint: {} }],
    [{ revocation_endpoint: '/revoke' }],
    [{ device_authorization_endpoint: 'none' }],
    [{ client_id_metadata_document_supported: 1 }],
    [{ grant_types_supported: {} }],
    [{ response_modes_supported: [null] }],
    [{ code_challenge_methods_supported: [256] }],
    [{ code_challenge_methods_supported: 'S256' }, { code_challenge_methods_supported: ['S256'] }],
    [{ code_challenge_methods_supported: [] }, { code_challenge_methods_supported: [] }],
    [{ code_challenge_methods_supported: [null, 'S256'] }, { code_challenge_methods_supported: ['S256'] }],
    [
      { authorization_response_iss_parameter_supported: 'true' },
      { authorization_response_iss_parameter_supported: true },
    ],
  ])('reads what it can from %j, and the rest of the document', (members, read = {}) => {
    expect(authorizationServerMetadataSchema.parse({ ...metadata, ...members })).toEqual({ ...metadata, ...read });
  });
});

import { describe, expect, it } from 'vitest';
import { decideAuthenticationMethod } from '../../../../../main/oauth/discovery/discover.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const plain = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked('https://as.example/token'),
};
const registering = { ...plain, registration_endpoint: asChecked('https://as.example/register') };
const documents = { ...plain, client_id_metadata_document_supported: true };
const everything = { ...registering, ...documents };
const clientMetadataUrl = 'https://postern.example/client.json';

describe('decideAuthenticationMethod', () => {
  it.each([
    ['no metadata', { metadata: undefined }, 'NoAuth'],
    ['no metadata, though a client was typed', { metadata: undefined, typedCredentials: true }, 'NoAuth'],
    ['no registration endpoint', { metadata: plain }, 'OAuth'],
    ['a registration endpoint', { metadata: registering }, 'OAuthWithDCR'],
    ['client ID metadata documents, ours is published', { metadata: everything, clientMetadataUrl }, 'OAuthWithCIMD'],
    ['client ID metadata documents, ours is not published', { metadata: everything }, 'OAuthWithDCR'],
    ['only client ID metadata documents, ours is not published', { metadata: documents }, 'OAuth'],
    ['ours is published, the server supports none', { metadata: registering, clientMetadataUrl }, 'OAuthWithDCR'],
    ['a typed client', { metadata: everything, clientMetadataUrl, typedCredentials: true }, 'OAuth'],
  ] as const)('%s: %s (spec 3.1)', (_, sources, method) => {
    expect(decideAuthenticationMethod(sources)).toBe(method);
  });
});

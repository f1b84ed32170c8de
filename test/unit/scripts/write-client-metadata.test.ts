import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { callbackUrl } from '../../../main/engine/sign-in/callback-address.ts';
import { isClientMetadataUrl, sendRegistration } from '../../../main/oauth/client/registration-request.ts';
import { exampleUrl, renderClientMetadata } from '../../../scripts/write-client-metadata.ts';
import { asChecked } from '../../support/as-checked.ts';
import { policy } from '../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../support/scripted-http.ts';

const file = path.join(import.meta.dirname, '../../../docs/client-metadata.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

describe('docs/client-metadata.json', () => {
  it('matches the script', () => {
    expect(readFileSync(file, 'utf8')).toBe(renderClientMetadata(exampleUrl));
  });

  it('has its own URL as client ID (MCP 2026-07-28, Client ID Metadata Documents)', () => {
    expect(document['client_id']).toBe(exampleUrl);
    expect(isClientMetadataUrl(exampleUrl)).toBe(true);
  });

  it('lists the callback for any port, by literal address and by name (RFC 8252 7.3)', () => {
    const withoutPort = callbackUrl({ host: '127.0.0.1', port: 4711 }).replace(':4711', '');
    expect(document['redirect_uris']).toEqual([withoutPort, withoutPort.replace('127.0.0.1', 'localhost')]);
  });

  it('matches a registration request, except that there is no secret (RFC 7591 2)', async () => {
    const endpoint = asChecked('https://as.example/register');
    const http = scriptedHttp([{ method: 'POST', url: endpoint, status: 201, json: {} }]);
    const metadata = { issuer: 'https://as.example', registration_endpoint: endpoint };
    const request = {
      metadata,
      issuerKey: metadata.issuer,
      redirectUri: callbackUrl({ host: '127.0.0.1', port: 4711 }),
      policy,
    };
    await sendRegistration(http, endpoint, request, {});
    const registration = JSON.parse(http.requests[0]?.body ?? '') as Record<string, unknown>;
    const { client_id: _id, redirect_uris: _uris, token_endpoint_auth_method: method, ...shared } = document;
    const { redirect_uris: _registered, token_endpoint_auth_method: _method, ...sent } = registration;
    expect(shared).toEqual(sent);
    expect(method).toBe('none');
  });
});

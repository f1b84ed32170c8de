import { expect, it } from 'vitest';
import { readClientCredentials, storeClientCredentials } from '../../../../../main/oauth/client/client-credentials.ts';
import { readTokenSet, storeTokenSet } from '../../../../../main/oauth/token/token-set.ts';
import {
  storedIntegrationSchema,
  toStoredIntegration,
} from '../../../../../main/storage/settings/read-settings-parts.ts';
import { keyOfRecord, storedKeyOf } from '../../../../../main/storage/vault/vault-file.ts';

const service = 'https://login.example#https://as.example';

const listed = {
  id: 'one',
  name: 'One',
  alias: 'one',
  url: 'https://mcp.example/mcp',
  method: 'OAuthWithDCR',
  state: 'integrated',
  issuer: service,
  issuerFallback: 'subdomain',
  createdAt: 1,
  notes: [],
  options: {
    ...{ local: false, allowedHosts: [], allowHttp: false, pkce: 'when-listed', legacyEndpoints: false },
    sendResource: true,
  },
};
const tokens = { accessToken: 'a', refreshToken: 'r', receivedAt: 1, issuer: service, tokenEndpoint: 'https://a.b/t' };
const client = {
  clientId: 'c',
  clientSecret: 's',
  source: 'typed',
  issuer: service,
  redirectUri: 'http://127.0.0.1/c',
};
const record = { kind: 'tokens', owner: 'one', issuer: service, sealed: 'x' } as const;

it('reads what an earlier version stored, and writes the same form', () => {
  const integration = storedIntegrationSchema().parse(listed);
  expect(integration.issuerKey).toBe(service);
  expect(toStoredIntegration(integration)).toEqual(listed);
  const { issuer: _none, ...withoutSignIn } = listed;
  expect(toStoredIntegration(storedIntegrationSchema().parse(withoutSignIn))).toEqual(withoutSignIn);

  const tokenSet = readTokenSet(tokens);
  expect(tokenSet?.issuerKey).toBe(service);
  expect(tokenSet && storeTokenSet(tokenSet)).toEqual(tokens);

  const credentials = readClientCredentials(client);
  expect(credentials?.issuerKey).toBe(service);
  expect(credentials && storeClientCredentials(credentials)).toEqual(client);

  const key = keyOfRecord(record);
  expect(key).toEqual({ kind: 'tokens', owner: 'one', issuerKey: service });
  expect({ ...storedKeyOf(key), sealed: 'x' }).toEqual(record);
});

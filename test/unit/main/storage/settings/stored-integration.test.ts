import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { readClientCredentials, storeClientCredentials } from '../../../../../main/oauth/client/client-credentials.ts';
import { readTokenSet, storeTokenSet } from '../../../../../main/oauth/token/token-set.ts';
import {
  readIntegrations,
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
  const integration = storedIntegrationSchema.parse(listed);
  expect(integration.issuerKey).toBe(service);
  expect(toStoredIntegration(integration)).toEqual(listed);
  const { issuer: _none, ...withoutSignIn } = listed;
  expect(toStoredIntegration(storedIntegrationSchema.parse(withoutSignIn))).toEqual(withoutSignIn);

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

const optional = {
  ...{ command: { command: 'node', arguments: ['x'], variables: [] }, scope: 'a', expiresAt: 5, boundToKey: true },
  ...{ failure: { since: 1, code: 'MCP_FAILED', stage: 'connection', detail: { host: 'a' } }, protocol: 'session' },
  ...{ toolReview: { reviewedAt: 1 }, permissions: { preset: 'read-only', rules: [{ tool: 'a', rule: 'deny' }] } },
};
const member = fc.constantFrom(...Object.keys({ ...listed, ...optional }), 'unknown', '__proto__', 'constructor');
const option = fc.constantFrom(...Object.keys(listed.options), 'scope', 'headerName', 'unknown');

test.prop([
  fc.subarray(Object.keys(optional)),
  fc.option(member),
  fc.option(option),
  fc.oneof(fc.jsonValue(), fc.constant(undefined)),
])('accepts exactly the entries that the schema accepts', (added, changed, changedOption, value) => {
  const change = (name: string | null): string =>
    name === null ? '' : `,${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`;
  const members = {
    ...listed,
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => added.includes(name))),
  };
  // The last of two equal names counts, and `__proto__` becomes a member of its own.
  const options = `${JSON.stringify(members.options).slice(0, -1)}${change(changedOption)}}`;
  const text = `${JSON.stringify(members).slice(0, -1)},"options":${options}${change(changed)}}`;
  const parsed = storedIntegrationSchema.safeParse(JSON.parse(text));
  const { valid, invalid } = readIntegrations([JSON.parse(text)]);
  expect(valid.length).toBe(parsed.success ? 1 : 0);
  expect(invalid.length).toBe(parsed.success ? 0 : 1);
  if (parsed.success) expect(valid[0]).toStrictEqual({ ...parsed.data, alias: valid[0]?.alias });
});

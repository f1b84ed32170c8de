import * as fc from 'fast-check';
import { checkAddress } from '../../main/address/check-address.ts';
import { accessTokenLength, jsonLimit, longestLifetime } from '../../main/limits.ts';
import { registerClient } from '../../main/oauth/client/client-registration.ts';
import { discoverAuthenticationMethod } from '../../main/oauth/discovery/discover.ts';
import { refreshTokens } from '../../main/oauth/token/refresh.ts';
import { readTokenResponse } from '../../main/oauth/token/token-response.ts';
import { findJsonFault, readJsonDocument } from '../../main/oauth/http/json-document.ts';
import { asChecked } from '../support/as-checked.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { clientCredentials, issuer, policy, redirectUri, tokenEndpoint, tokenSet } from '../support/oauth-fixtures.ts';
import { answeringHttp } from './answering-http.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { asText, hostileAnswer, hostileJson, mutated } from './hostile-values.ts';
import { assert, typed } from './typed.ts';

const server = { url: asChecked('https://mcp.example/mcp') };
const prm = { resource: server.url, authorization_servers: [issuer], scopes_supported: ['read'], resource_name: 'x' };
const asm = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: tokenEndpoint,
  registration_endpoint: `${issuer}/register`,
  scopes_supported: ['read'],
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint: `${issuer}/revoke`,
  authorization_response_iss_parameter_supported: true,
};
const registered = {
  client_id: 'client',
  client_secret: 'secret',
  client_id_issued_at: 1,
  client_secret_expires_at: 0,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'client_secret_basic',
  registration_access_token: 'x',
  registration_client_uri: `${issuer}/register/1`,
};
const granted = {
  access_token: 'a',
  token_type: 'Bearer',
  expires_in: 3_600,
  refresh_token: 'r',
  scope: 'read',
  id_token: 'x.y.z',
};

/** Any JSON at any endpoint. */
export const documentTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'a JSON document is read as JSON.parse reads it, or gives a typed error',
    input: fc.oneof(asText(hostileJson), asText(mutated(asm)), fc.string({ unit: 'binary' })),
    async holds(text) {
      const body = new TextEncoder().encode(text);
      const headers = new Headers({ 'content-type': 'application/json' });
      const read = await typed(() =>
        readJsonDocument({ status: 200, headers, url: server.url, body }, { stage: 'discovery' }),
      );
      if ('value' in read) assert(JSON.stringify(read.value) === JSON.stringify(JSON.parse(text)), 'another value');
      assert(findJsonFault(text, jsonLimit) === undefined || 'code' in read, 'an undetected fault');
    },
  }),
  fuzzTarget({
    name: 'a discovery ends with a result or typed error, contacts no blocked host, and trusts no other issuer',
    cost: 20,
    input: fc.tuple(
      hostileAnswer(asText(hostileJson)),
      hostileAnswer(asText(mutated(prm))),
      hostileAnswer(asText(mutated(asm))),
      hostileAnswer(asText(fc.oneof(mutated(prm), mutated(asm)))),
    ),
    async holds(answers) {
      const http = answeringHttp(answers);
      const options = { url: server.url, policy, onStep: () => {}, typedCredentials: false, legacyEndpoints: false };
      const found = await typed(() => discoverAuthenticationMethod({ http, clock: createFakeClock() }, options));
      assert(http.requests.length <= 60, `${http.requests.length} requests`);
      for (const { url, headers } of http.requests) {
        assert(url.startsWith('https://'), `asked ${url}`);
        assert(!Object.keys(headers ?? {}).some((name) => /authorization|cookie/i.test(name)), 'a credential');
      }
      if (!('value' in found) || found.value.metadata === undefined) return;
      const { metadata, resource } = found.value;
      for (const endpoint of [
        metadata.authorization_endpoint,
        metadata.token_endpoint,
        metadata.registration_endpoint,
      ]) {
        if (endpoint === undefined) continue;
        const url = new URL(endpoint);
        assert(url.protocol === 'https:', `the endpoint ${endpoint}`);
        checkAddress(url, policy, 'discovery');
      }
      if (resource !== undefined)
        assert(new URL(resource).origin === 'https://mcp.example', `the resource ${resource}`);
    },
  }),
  fuzzTarget({
    name: 'a registration gives a usable client or a typed error, and retries only after a rejection',
    cost: 4,
    input: fc.tuple(hostileAnswer(asText(mutated(registered))), hostileAnswer(asText(mutated(registered)))),
    async holds(answers) {
      const http = answeringHttp(answers);
      const metadata = { ...asm, registration_endpoint: asChecked(asm.registration_endpoint) };
      const request = { metadata, issuerKey: issuer, redirectUri, scope: 'read', policy };
      const made = await typed(() => registerClient({ http, clock: createFakeClock() }, request));
      const refusal = answers[0].status;
      // Without the extras, without the scope, without both; after a wrapped rejection only without the scope.
      const most = refusal === 400 || refusal === 422 ? 4 : refusal === 500 ? 2 : 1;
      assert(http.requests.length <= most, 'too many requests');
      assert(
        http.requests.every(({ url }) => url === asm.registration_endpoint),
        'another endpoint',
      );
      if (!('value' in made) || made.value.kind !== 'registered') return;
      const { credentials } = made.value.registration;
      assert(/^[\x20-\x7e]{1,4096}$/.test(credentials.clientId), 'a client id that is none');
      assert(credentials.clientSecret?.reveal() !== '', 'an empty secret');
      assert(credentials.issuerKey === issuer && credentials.redirectUri === redirectUri, 'bound elsewhere');
    },
  }),
  fuzzTarget({
    name: 'a token response gives tokens that fit a header, or a typed error',
    cost: 4,
    input: hostileAnswer(asText(mutated(granted))),
    async holds({ status, text }) {
      const headers = new Headers({ 'content-type': 'application/json' });
      const response = { status, headers, url: tokenEndpoint, body: new TextEncoder().encode(text) };
      const context = { grant: 'authorization_code', stage: 'token', issuer, clientId: 'client' } as const;
      const read = await typed(() => readTokenResponse(response, createFakeClock(), context));
      if (!('value' in read) || read.value.kind !== 'granted') return;
      const { accessToken, refreshToken, expiresIn } = read.value.grant;
      assert(/^[\x21-\x7e]+$/.test(accessToken.reveal()), 'an access token that is none');
      assert(accessToken.reveal().length <= accessTokenLength, 'an access token that is too long');
      assert(
        refreshToken === undefined || /^[\x20-\x7e]+$/.test(refreshToken.reveal()),
        'a refresh token that is none',
      );
      const isLifetime =
        expiresIn === undefined || (Number.isInteger(expiresIn) && expiresIn > 0 && expiresIn <= longestLifetime);
      assert(isLifetime, `a lifetime of ${expiresIn}`);
    },
  }),
  fuzzTarget({
    name: 'a refresh sends its token only to its own endpoint, and keeps it if it receives none',
    cost: 4,
    input: fc.tuple(hostileAnswer(asText(mutated(granted))), hostileAnswer(asText(mutated(granted)))),
    async holds(answers) {
      const http = answeringHttp(answers);
      const request = {
        tokens: tokenSet(),
        credentials: clientCredentials(),
        sendResource: true,
        policy,
        signal: undefined,
      };
      const refreshed = await typed(() => refreshTokens({ http, clock: createFakeClock() }, request));
      assert(
        http.requests.every(({ url }) => url === tokenEndpoint),
        'another endpoint',
      );
      if (!('value' in refreshed) || refreshed.value.kind !== 'renewed') return;
      const { tokens } = refreshed.value;
      assert(tokens.refreshToken !== undefined, 'the refresh token is lost');
      assert(tokens.issuerKey === issuer && tokens.tokenEndpoint === tokenEndpoint, 'bound elsewhere');
    },
  }),
];

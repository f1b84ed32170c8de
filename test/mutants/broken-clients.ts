import type { Mutant } from './mutant.ts';

/** Broken clients that the official suite, or a real sign-in, must notice. */
export const brokenClients: readonly Mutant[] = [
  {
    name: 'no-pkce',
    edits: [{ in: 'applyPkce', find: "$listed || $policy === 'always'", replace: "$listed && $policy === 'always'" }],
    caughtBy: [
      {
        kind: 'conformance',
        scenario: 'auth/metadata-default',
        revision: '2026-07-28',
        check: 'pkce-code-challenge-sent',
      },
      {
        kind: 'vitest',
        project: 'unit',
        file: 'test/unit/main/oauth/authorization/pkce.test.ts',
        title: 'applyPkce',
      },
    ],
  },
  {
    name: 'state-ignored',
    edits: [
      {
        in: 'AuthorizationSession',
        find: "!isSameText(stateOf($query) ?? '', this.request.state)",
        replace: "stateOf($query) === ''",
      },
      {
        in: 'validateAuthorizationResponse',
        find: '!isSameText($state, $request.state)',
        replace: "isSameText($state, '')",
      },
      {
        in: 'validateAuthorizationResponse',
        find: 'validateAuthResponse($server, $a, $parameters, $request.state)',
        replace: "validateAuthResponse($server, $a, $parameters, $parameters.get('state') ?? '')",
      },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'contract',
        file: 'test/contract/foreign-callback.test.ts',
        title: 'continues after a callback with another state',
      },
      {
        kind: 'vitest',
        project: 'unit',
        file: 'test/unit/main/oauth/authorization/authorization-response.test.ts',
        title: 'accepts no other state',
      },
    ],
  },
  {
    name: 'iss-ignored',
    edits: [
      {
        in: 'validateAuthorizationResponse',
        find: "if ($iss === null && $request.issExpected) throw $fail('ISS_MISSING');",
        replace: '',
      },
      {
        in: 'validateAuthorizationResponse',
        find: "if ($iss !== null && $iss !== $request.expectedIss) throw $fail('ISS_MISMATCH');",
        replace: '',
      },
      {
        in: 'validateAuthorizationResponse',
        find: 'authorization_response_iss_parameter_supported: $request.issExpected',
        replace: 'authorization_response_iss_parameter_supported: false',
      },
      {
        in: 'validateAuthorizationResponse',
        find: "const $iss = $parameters.get('iss');",
        replace: "const $iss = $parameters.get('iss'); $parameters.delete('iss');",
      },
    ],
    caughtBy: [
      {
        kind: 'conformance',
        scenario: 'auth/iss-wrong-issuer',
        revision: '2026-07-28',
        check: 'sep-2468-client-compare-iss-supported',
      },
      {
        kind: 'conformance',
        scenario: 'auth/iss-supported-missing',
        revision: '2026-07-28',
        check: 'sep-2468-client-reject-missing-iss',
      },
    ],
  },
  {
    name: 'wrong-resource',
    edits: [{ in: 'AuthorizationRequest', find: '$discovery.resource', replace: 'new URL($discovery.url).origin' }],
    caughtBy: [
      {
        kind: 'conformance',
        scenario: 'auth/metadata-default',
        revision: '2026-07-28',
        check: 'resource-parameter-matches-prm',
      },
    ],
  },
  {
    name: 'credentials-of-another-issuer',
    edits: [
      {
        in: 'signIn',
        find: '$discovery.issuerKey === $client.credentials.issuerKey',
        replace: '$client.credentials.issuerKey',
      },
      {
        in: 'registrationKey',
        find: "{ kind: 'registration', owner: $redirectUri, issuerKey: $issuer, }",
        replace: "{ kind: 'registration', owner: $redirectUri, issuerKey: $issuer.slice(0, 4), }",
      },
      {
        in: 'AuthorizationRequest',
        find: '$credentials.issuerKey !== $issuerKey',
        replace: "$credentials.issuerKey === ''",
      },
      {
        in: 'exchangeAuthorizationCode',
        find: '$a !== $request.issuerKey || $credentials.clientId !== $request.clientId',
        replace: "$a === ''",
      },
    ],
    caughtBy: [
      {
        kind: 'conformance',
        scenario: 'auth/authorization-server-migration',
        revision: '2026-07-28',
        check: 'sep-2352-no-reuse-on-as-change',
      },
    ],
  },
  {
    name: 'any-issuer',
    edits: [
      {
        in: 'compareIssuer',
        find: "if ($asked === $published) return 'identical';",
        replace: "if ($asked !== '') return 'identical';",
      },
      // Otherwise Postern would ask the user about the service's hosts, and the suite has no user.
      {
        in: 'hostsToAgree',
        find: '!$hasChanged && $endpoints.every(($host) => haveSameOwner($host, $issuer))',
        replace: '$endpoints.length > 0',
      },
    ],
    caughtBy: [
      {
        kind: 'conformance',
        scenario: 'auth/metadata-issuer-mismatch',
        revision: '2026-07-28',
        check: 'sep-2468-client-validate-metadata-issuer',
      },
    ],
  },
];

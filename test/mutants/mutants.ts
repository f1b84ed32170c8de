import type { Mutant } from './mutant.ts';

/** Broken clients, and the tests that must notice each. */
export const mutants: readonly Mutant[] = [
  {
    name: 'no-pkce',
    edits: [
      {
        file: 'main/oauth/pkce.ts',
        find: "return listed || policy === 'always';",
        replace: "return listed && policy === 'always';",
      },
    ],
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
        file: 'test/unit/main/oauth/pkce.test.ts',
        title: 'applyPkce',
      },
    ],
  },
  {
    name: 'state-ignored',
    edits: [
      {
        file: 'main/integration/sign-in/authorization-session.ts',
        find: "if (!isSameText(stateOf(query) ?? '', this.request.state))",
        replace: "if (stateOf(query) === '')",
      },
      {
        file: 'main/oauth/authorization-response.ts',
        find: "if (!isSameText(state, request.state)) throw fail('STATE_UNKNOWN');",
        replace: "if (isSameText(state, '')) throw fail('STATE_UNKNOWN');",
      },
      {
        file: 'main/oauth/authorization-response.ts',
        find: '{ client_id: request.clientId }, parameters, request.state)',
        replace: "{ client_id: request.clientId }, parameters, parameters.get('state') ?? '')",
      },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'contract',
        file: 'test/contract/foreign-callback.test.ts',
        title: 'goes on after a callback with another state',
      },
      {
        kind: 'vitest',
        project: 'unit',
        file: 'test/unit/main/oauth/authorization-response.test.ts',
        title: 'accepts no other state',
      },
    ],
  },
  {
    name: 'iss-ignored',
    edits: [
      {
        file: 'main/oauth/authorization-response.ts',
        find: "if (iss === null && request.issExpected) throw fail('ISS_MISSING');",
        replace: "parameters.delete('iss');",
      },
      {
        file: 'main/oauth/authorization-response.ts',
        find: "if (iss !== null && iss !== request.expectedIss) throw fail('ISS_MISMATCH');",
        replace: '',
      },
      {
        file: 'main/oauth/authorization-response.ts',
        find: 'authorization_response_iss_parameter_supported: request.issExpected,',
        replace: 'authorization_response_iss_parameter_supported: false,',
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
    edits: [
      {
        file: 'main/oauth/authorization-request.ts',
        find: 'const resource = options.sendResource ? discovery.resource : undefined;',
        replace: 'const resource = options.sendResource ? new URL(discovery.url).origin : undefined;',
      },
    ],
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
        file: 'main/integration/sign-in/keep-issuer.ts',
        find: 'if (discovery.issuer === client.credentials.issuer) return client;',
        replace: 'if (client.credentials.issuer) return client;',
      },
      {
        file: 'main/integration/kept/stored-secrets.ts',
        find: "kind: 'registration',\n  owner: redirectUri,\n  issuer,",
        replace: "kind: 'registration',\n  owner: redirectUri,\n  issuer: issuer.slice(0, 4),",
      },
      {
        file: 'main/oauth/authorization-request.ts',
        find: 'if (credentials.issuer !== issuer)',
        replace: "if (credentials.issuer === '')",
      },
      {
        file: 'main/oauth/token-request.ts',
        find: 'if (credentials.issuer !== request.issuer || credentials.clientId !== request.clientId)',
        replace: "if (credentials.issuer === '')",
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
        file: 'main/oauth/issuer.ts',
        find: "if (asked === published) return 'identical';",
        replace: "if (asked !== '') return 'identical';",
      },
      // The person would be asked about the hosts of such a service, and nobody answers there.
      {
        file: 'main/integration/sign-in/hosts-to-agree.ts',
        find: 'if (!hasChanged && endpoints.every((host) => haveOneOwner(host, issuer))) return [];',
        replace: 'if (endpoints.length > 0) return [];',
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
  {
    name: 'token-for-anyone',
    edits: [
      {
        file: 'main/mcp/credential-gate.ts',
        find: 'if (!matchesResource(new URL(credential.resource), url)) return;',
        replace: "if (credential.resource === '') return;",
      },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'unit',
        file: 'test/unit/main/mcp/credential-gate.test.ts',
        title: 'attachCredential',
      },
    ],
  },
];

import type { Mutant } from './mutant.ts';

/** Broken clients, and the test that must notice each. */
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
        find: "if (iss !== null && iss !== request.issuer) throw fail('ISS_MISMATCH');",
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
        check: 'sep-2468-client-rejects-wrong-iss',
      },
    ],
  },
];

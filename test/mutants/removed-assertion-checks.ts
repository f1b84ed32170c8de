import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const asClient = ['contract', 'contract/client-grant.test.ts'] as const;
const files = ['contract', 'contract/assertion-grant.test.ts'] as const;

/** A client that asks for itself (RFC 6749 section 4.4), or shows an assertion (RFC 7523 section 2.1). */
export const removedAssertionChecks: readonly Mutant[] = [
  removedCheck(
    'assertion-file-of-another-server',
    [
      'choicesFor',
      'const anywhere = dropUndefined({ $pkce, $scope, $signInSurface, $callbackHost });',
      'const anywhere = wanted.options;',
    ],
    ['contract', 'contract/assertion-grant.test.ts', 'JA-07'],
  ),
  removedCheck(
    'client-without-proof-asks-for-itself',
    ['signInAsClient', "$grant === 'client-credentials' && !hasProof($client.credentials)", 'false'],
    [...asClient, 'since it proves nothing'],
  ),
  removedCheck(
    'client-grant-kept-as-a-refresh-token',
    ['canRenew', '$refreshToken !== undefined || $asClient !== undefined', '$refreshToken !== undefined'],
    [...asClient, 'is kept alive in the background'],
  ),
  removedCheck(
    'page-of-a-service-without-one',
    ['authorizationServerMetadataSchema', '$endpoint !== undefined || !$grants.some($ofPage)', 'true'],
    [...asClient, 'is refused a document without a page'],
  ),
  removedCheck(
    'assertion-for-another-service',
    ['judgeAssertion', "$some ? undefined : 'audience'", 'undefined'],
    [...files, 'for another service (JA-05)'],
  ),
  removedCheck(
    'assertion-that-has-ended',
    ['judgeAssertion', "if ($exp + $skew <= $now / 1_000) return 'ended';", ''],
    [...files, 'that has ended (JA-04)'],
  ),
  removedCheck(
    'unsigned-assertion',
    ['readUnverifiedJwt', "$alg.toLowerCase() === 'none'", 'false'],
    [...files, 'that nobody has signed (JA-04)'],
  ),
  removedCheck(
    'assertion-file-of-others',
    ['assertionFiles', 'if ($foreign || ($mode & 0o002) !== 0) throw $error;', ''],
    [...files, 'that everybody can write (JA-03)'],
  ),
  removedCheck(
    'assertion-file-without-a-bound',
    ['assertionFiles', 'limit: $bytes', 'limit: Infinity'],
    [...files, 'of 4 MiB (JA-02)'],
  ),
  removedCheck(
    'assertion-refused-ends-the-sign-in',
    ['judgeRefreshAnswer', "$name === 'invalid_grant' && !$byAssertion", "$name === 'invalid_grant'"],
    [...files, 'that is refused at a renewal ends nothing'],
  ),
  removedCheck(
    'assertion-left-out-of-a-renewal',
    ['sendRefresh', '$tokens.asClient?.byAssertion ? await $obtained : undefined', 'undefined'],
    [...files, 'is read again at each renewal'],
  ),
];

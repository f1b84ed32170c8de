import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const enterprise = ['contract', 'contract/enterprise-grant.test.ts'] as const;

/** What an identity provider says of a person is judged before it goes anywhere (SEP-990). */
export const removedProviderChecks: readonly Mutant[] = [
  removedCheck(
    'identity-assertion-for-another-service',
    ['judgeIdentityAssertion', "if (!isAllOf($aud, $audience)) return 'audience';", ''],
    [...enterprise, 'for another service (EM-01)'],
  ),
  removedCheck(
    'identity-assertion-for-several-services',
    ['judgeIdentityAssertion', '$values.length > 0 && $values.every($isWanted)', '$values.some($isWanted)'],
    [...enterprise, 'for another service besides (EM-01)'],
  ),
  removedCheck(
    'identity-assertion-of-another-provider',
    ['judgeIdentityAssertion', "if ($iss !== $issuer) return 'issuer';", ''],
    [...enterprise, 'in the name of another provider (EM-02)'],
  ),
  removedCheck(
    'identity-assertion-for-another-client',
    ['judgeIdentityAssertion', "if ($client !== $clientId) return 'client';", ''],
    [...enterprise, 'for another client (EM-03)'],
  ),
  removedCheck(
    'identity-assertion-that-has-ended',
    ['judgeIdentityAssertion', "if ($exp + $skew <= $now / 1_000) return 'ended';", ''],
    [...enterprise, 'that has ended (EM-04)'],
  ),
  removedCheck(
    'identity-assertion-of-another-kind',
    ['judgeIdentityAssertion', "if (typeof $typ !== 'string' || $other) return 'type';", ''],
    [...enterprise, 'of another kind (EM-05)'],
  ),
  removedCheck(
    'identity-answer-of-another-kind',
    ['exchangeIdentity', "if ($type !== idJag) throw invalid($answer, 'type');", ''],
    [...enterprise, 'with an answer that calls it an access token (EM-05)'],
  ),
  removedCheck(
    'identity-assertion-for-another-server',
    ['judgeIdentityAssertion', "$isFor ? undefined : 'resource'", 'undefined'],
    [...enterprise, 'for another server (EM-06)'],
  ),
  removedCheck(
    'id-token-kept-for-every-server',
    ['install', 'const { identity: $_, ...$tokens } = $given;', 'const $tokens = $given;'],
    [...enterprise, 'asks for another assertion at each renewal'],
  ),
  removedCheck(
    'provider-of-whatever-kind',
    [
      'obtainIdentityAssertion',
      '!$provider?.options.isIdentityProvider || $provider.options.grant !== undefined',
      '!$provider',
    ],
    [...enterprise, 'is no server that the settings name as one'],
  ),
  removedCheck(
    'provider-used-as-a-server',
    ['openServer', '$integration.options.isIdentityProvider', 'false'],
    [...enterprise, 'is asked for nothing as an MCP server'],
  ),
];

import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const key = ['unit', 'unit/main/oauth/wire/proof-key.test.ts'] as const;
const token = ['unit', 'unit/main/oauth/token/token-response.test.ts'] as const;
const bound = ['contract', 'contract/bound-tokens.test.ts'] as const;
const binding = ['unit', 'unit/main/oauth/discovery/wanted-binding.test.ts'] as const;

/** Tokens that are bound to a key (RFC 9449). */
export const removedProofChecks: readonly Mutant[] = [
  removedCheck(
    'bound-token-as-bearer-token',
    ['attachCredential', '`DPoP ${$credential.token.reveal()}`', '`Bearer ${$credential.token.reveal()}`'],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'attachCredential of a token that is bound to a key'],
    [...bound, 'get a proof with each request'],
  ),
  removedCheck(
    'bearer-token-as-bound-token',
    ['tokenCredential', '$binding?.bindsAccess ? $bound : $bearer', '$binding ? $bound : $bearer'],
    [...bound, 'are taken and noted where the service only offered'],
  ),
  removedCheck(
    'proof-without-a-token',
    [
      'attachProof',
      "if ($credential.kind !== 'dpop' || !$headers.has('authorization')) return;",
      "if ($credential.kind !== 'dpop') return;",
    ],
    ['unit', 'unit/main/mcp/http/credential-gate.test.ts', 'goes with a token that is bound to a key'],
  ),
  removedCheck(
    'proof-for-another-address',
    [
      'createMcpFetch',
      '{ url: $to, now: $clock.now(), nonce: $nonce }',
      '{ url: $url, now: $clock.now(), nonce: $nonce }',
    ],
    [...bound, 'for the address that a request is sent on to'],
  ),
  removedCheck(
    'nonce-of-another-origin',
    ['ProofKey', 'return `${$reader} ${$origin}`;', 'return `${$reader}${$origin.slice(0, 0)}`;'],
    [...key, 'for its reader and origin'],
  ),
  removedCheck(
    'nonce-of-another-reader',
    ['ProofKey', 'return `${$reader} ${$origin}`;', 'return `${$reader.slice(0, 0)} ${$origin}`;'],
    [...key, 'for its reader and origin'],
  ),
  removedCheck(
    'nonce-of-any-kind',
    ['ProofKey', 'if (!usableNonce.test($nonce)) return undefined;', "if ($nonce === '') return undefined;"],
    [...key, 'is none'],
  ),
  removedCheck(
    'nonces-without-end',
    [
      'createMcpFetch',
      '$key.takeNonce($to.reader, $to.url, $last.headers); return await $requireProofTaken($last, $to.url, $clock);',
      '$key.takeNonce($to.reader, $to.url, $last.headers); return $last;',
    ],
    [...bound, 'that a server asks for again and again'],
  ),
  removedCheck(
    'refused-proof-taken-for-a-refused-token',
    [
      'createMcpFetch',
      'if (!$next) return await $requireProofTaken($response, $to.url, $clock);',
      'if (!$next) return $response;',
    ],
    [...bound, 'that are demanded and not named'],
  ),
  removedCheck(
    'nonce-that-is-not-known-any-more',
    ['nextProof', "$refusal === 'invalid' && $key.forgetNonce($reader, $url) ? {} : undefined", 'undefined'],
    [...bound, 'leave the sign-in alone'],
  ),
  removedCheck(
    'bound-to-no-key-of-ours',
    ['normaliseTokenResponse', "$type === undefined || ($type === 'dpop' && !$binding)", '$type === undefined'],
    [...token, 'refuses the token type'],
    [...bound, 'that a service calls bound though it got no key'],
  ),
  removedCheck(
    'unbound-where-bound-is-demanded',
    ['normaliseTokenResponse', "$type === 'bearer' && $binding?.isDemanded", "$type === 'bearer' && $binding === null"],
    [...token, 'only where nobody demands a bound one'],
    [...bound, 'where the registration demanded bound ones'],
  ),
  removedCheck(
    'tokens-without-their-key',
    ['readTokenSet', 'if ($binding && !$key) return undefined;', ''],
    ['unit', 'unit/main/oauth/token/token-set.test.ts', 'none of them without it'],
  ),
  removedCheck(
    'proofs-of-another-kind',
    [
      'excludesOurs',
      '$listed !== undefined && $listed.length > 0 && !$listed.includes(proofAlgorithm)',
      '$listed?.length === -1',
    ],
    [...binding, 'proofs of another kind'],
  ),
  removedCheck(
    'binding-against-the-word-of-the-server',
    ['wantedBinding', "$challenge !== undefined && $challenge.dpop === undefined ? undefined : 'offered'", "'offered'"],
    [...binding, 'Bearer alone'],
    [...bound, 'are asked for where the server names Bearer alone'],
  ),
  removedCheck(
    'code-for-whoever-has-it',
    ['createAuthorizationRequest', "['dpop_jkt', $binding?.thumbprint]", "['dpop_jkt', undefined]"],
    [...bound, 'by the key that the sign-in named'],
  ),
];

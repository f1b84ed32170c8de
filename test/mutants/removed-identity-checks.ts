import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const unit = (title: string) => ['unit', 'unit/main/oauth/token/id-token.test.ts', title] as const;
const asking = (title: string) => ['contract', 'contract/ask-who.test.ts', title] as const;

/** What keeps a stranger's word about the person from being shown as the service's, and a tool from being called unasked. */
export const removedIdentityChecks: readonly Mutant[] = [
  removedCheck('id-token-issuer', ['readIdToken', "$claims['iss'] !== $issuer", 'false'], unit('of another issuer')),
  removedCheck('id-token-audience', ['readIdToken', '!isFor($clientId, $claims)', 'false'], unit('for another client')),
  removedCheck('id-token-end', ['readIdToken', '$exp + $skew <= $now / 1_000', 'false'], unit('of yesterday')),
  removedCheck(
    'id-token-nonce',
    ['readIdToken', "$nonce !== undefined && $claims['nonce'] !== $nonce", 'false'],
    unit('of another request'),
  ),
  removedCheck('id-token-tls', ['readIdToken', "!$url.startsWith('https:')", 'false'], unit('without TLS')),
  removedCheck(
    'id-token-unsigned',
    ['readUnverifiedJwt', "$alg.toLowerCase() === 'none'", 'false'],
    unit('that is unsigned'),
  ),
  removedCheck(
    'renewal-of-another-holder',
    ['refreshTokens', '!tokens.asClient && isOtherHolder($kept, $named)', 'false'],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'of another account is not used'],
  ),
  removedCheck(
    'rotated-token-of-another-holder',
    ['refreshTokens', '$rotated !== undefined && !isOtherHolder($kept, $named)', '$rotated !== undefined'],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'of another account brings no refresh token'],
  ),
  removedCheck(
    'id-token-of-a-renewal',
    ['readTokenResponse', "$context.grant === 'client_credentials'", "$context.grant !== 'authorization_code'"],
    ['unit', 'unit/main/engine/refresh/refresh-stored-tokens.test.ts', 'of another tenant, by its ID token'],
  ),
  removedCheck(
    'fresh-login-of-a-tenant',
    ['needsFreshLogin', '!commonLabels.test($label) && !$labels.includes($label)', 'false'],
    ['unit', 'unit/main/oauth/authorization/authorization-request.test.ts', 'of the tenant of https://acme.service'],
  ),
  removedCheck(
    'who-of-another-key',
    ['identityHandlers', '(await keyOf($integration)) === $key', 'true'],
    asking('to a key that was replaced meanwhile'),
  ),
  removedCheck(
    'who-tool-by-name',
    ['identityHandlers', '$annotations?.readOnlyHint === true && ($inputSchema.required?.length ?? 0) === 0', 'true'],
    asking('one that may change something'),
  ),
];

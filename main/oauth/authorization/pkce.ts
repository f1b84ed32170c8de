import { createHash } from 'node:crypto';
import type { PkcePolicy } from '../../../shared/choices.ts';
import { PosternError } from '../../postern-error.ts';
import type { Random } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

/** 256 random bits, base64url: 43 characters (RFC 7636 section 4.1). */
export function createCodeVerifier(random: Random): Secret {
  return new Secret(Buffer.from(random.bytes(32)).toString('base64url'));
}

/** `BASE64URL(SHA256(verifier))` (RFC 7636 section 4.2); `plain` is never used. */
export function codeChallenge(verifier: Secret): string {
  return createHash('sha256').update(verifier.reveal(), 'ascii').digest('base64url');
}

/** Whether the metadata says that the service checks S256 (RFC 8414 section 2). */
export function listsPkce(
  metadata: Pick<AuthorizationServerMetadata, 'code_challenge_methods_supported'> | undefined,
): boolean {
  return metadata?.code_challenge_methods_supported?.includes('S256') === true;
}

/**
 * Whether the authorization request carries a code challenge (RFC 7636 with S256 only).
 * Errors: PKCE_UNSUPPORTED when the policy is `required` and the metadata does not list S256.
 */
export function applyPkce(
  policy: PkcePolicy,
  metadata: Pick<AuthorizationServerMetadata, 'code_challenge_methods_supported'>,
): boolean {
  const listed = listsPkce(metadata);
  if (policy === 'required' && !listed) throw new PosternError('PKCE_UNSUPPORTED', { stage: 'authorization' });
  return listed || policy === 'always';
}

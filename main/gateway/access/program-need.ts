import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { judgeKeyFailure } from '../../integration/kept/api-key.ts';
import { PosternError } from '../../postern-error.ts';

/** A call of a program that was refused, and that only the person can make possible. */
export interface ProgramNeed {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  /** What the program is called. */
  readonly program: string;
  readonly error: PosternError;
}

const personal: ReadonlySet<ErrorCode> = new Set([
  'SIGN_IN_REQUIRED',
  'SCOPE_REQUIRED',
  'TOKEN_REJECTED',
  'REFRESH_REVOKED',
  'REFRESH_ISSUER_CHANGED',
  'ADDRESS_CHANGED',
  'CLIENT_REJECTED',
  'API_KEY_REFUSED',
  'API_KEY_MISSING',
]);

/**
 * The failure where a sign-in, more permissions or another key would help; `undefined` where the person can do nothing.
 */
export function personalFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  thrown: unknown,
): PosternError | undefined {
  if (!(thrown instanceof PosternError)) return undefined;
  const error = judgeKeyFailure(integration, { error: thrown });
  return personal.has(error.code) ? error : undefined;
}

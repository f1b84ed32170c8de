import type { Integration } from '../../../shared/integration.ts';
import { missingScope } from '../../oauth/scope.ts';
import { PosternError } from '../../postern-error.ts';

/** Fewer rights than asked for (RFC 6749 section 5.1): worth saying before a tool fails for it. */
export function scopeWarning({ scope, scopeRequested }: Integration): readonly PosternError[] {
  const isReduced = missingScope(scopeRequested, scope).length > 0;
  return isReduced ? [new PosternError('SCOPE_REDUCED', { stage: 'install' })] : [];
}

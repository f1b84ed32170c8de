import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { shownScopes } from '../../limits.ts';
import { refusalIn } from '../../mcp/http/refused-request.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import type { PosternError } from '../../postern-error.ts';

/**
 * SCOPE_REQUIRED with the scopes that the server's challenge names and the integration lacks (RFC 6750 section 3.1),
 * made fit to be shown: detail `scopes`, space-separated. Detail `scopeAnswer` says what became of them where all of
 * them were asked for already: `refused` by the sign-in service, or `granted` by its own word. Other errors stay.
 */
export function nameScopes(
  error: PosternError,
  { scope, scopeRequested = '' }: Pick<Integration, 'scope' | 'scopeRequested'>,
): PosternError {
  const refusal = refusalIn(error);
  const wanted = missingScope(refusal?.challenge?.scope, '');
  if (refusal?.kind !== 'insufficient-scope' || wanted.length === 0) return error;
  // Without a word on it, what was requested was granted (RFC 6749 section 5.1).
  const missing = missingScope(wanted.join(' '), scope ?? scopeRequested);
  const wasAsked = missingScope(missing.join(' '), scopeRequested).length === 0;
  const scopeAnswer = missing.length === 0 ? 'granted' : wasAsked ? 'refused' : undefined;
  const scopes = (missing.length === 0 ? wanted : missing)
    .slice(0, shownScopes.count)
    .map((name) => displayText(name, shownScopes.length))
    .join(' ');
  return error.with({
    detail: { scopes, ...(scopeAnswer && { scopeAnswer }) },
    remedy: { kind: 'grant-scopes', answered: scopeAnswer !== undefined },
  });
}

/** Scope values are space-separated, case-sensitive tokens without order (RFC 6749 section 3.3). */

/** Excludes quote, backslash, controls and non-ASCII. */
const scopeToken = /^[\u0021\u0023-\u005b\u005d-\u007e]+$/;
const offlineAccess = 'offline_access';
const uncountedScopes: ReadonlySet<string> = new Set([offlineAccess, 'openid']);

interface ScopeSources {
  /** Typed by the user, used as is. */
  readonly typedScope?: string | undefined;
  readonly challenge?: { readonly scope?: string | undefined } | undefined;
  readonly resourceMetadata?: { readonly scopes_supported?: readonly string[] | undefined } | undefined;
  readonly metadata?: { readonly scopes_supported?: readonly string[] | undefined } | undefined;
}

export interface ChosenScope {
  /** Absent: no `scope` parameter is sent. */
  readonly scope?: string;
  /** Includes `offline_access`: consent must be requested (OpenID Connect Core 1.0 section 11). */
  readonly offlineAccess: boolean;
  /** Includes `openid`: the request needs a nonce. */
  readonly openid: boolean;
}

/**
 * The scope to request: the user's own choice, otherwise the challenge's, the protected resource's list, the
 * authorization server's list, or none. Unless the user chose, `offline_access` is requested exactly if the
 * authorization server lists it (MCP 2026-07-28, refresh tokens).
 */
export function chooseScope(sources: ScopeSources): ChosenScope {
  const typed = splitScope(sources.typedScope);
  if (typed.length > 0) return toChosenScope(typed);
  const requested = [
    splitScope(sources.challenge?.scope),
    validScopes(sources.resourceMetadata?.scopes_supported),
    validScopes(sources.metadata?.scopes_supported),
  ].find((scopes) => scopes.length > 0);
  const scopes = (requested ?? []).filter((scope) => scope !== offlineAccess);
  if (sources.metadata?.scopes_supported?.includes(offlineAccess) === true) scopes.push(offlineAccess);
  return toChosenScope(scopes);
}

/** All scopes of both, in order of appearance (MCP step-up: previously requested and now required). */
export function unionScope(first: string | undefined, second: string | undefined): string | undefined {
  return joinScope([...splitScope(first), ...splitScope(second)]);
}

/**
 * Requested scopes that were not granted. Without `granted` all were (RFC 6749 section 5.1). `offline_access` and
 * `openid` are not counted: servers omit them from the response, since the refresh token shows the first and the second
 * is no permission at the resource.
 */
export function missingScope(requested: string | undefined, granted: string | undefined): string[] {
  if (granted === undefined) return [];
  const grantedScopes = new Set(splitScope(granted));
  return [...new Set(splitScope(requested))].filter(
    (scope) => !uncountedScopes.has(scope) && !grantedScopes.has(scope),
  );
}

/** A server's scope value without invalid scope tokens; `undefined` if none is left. */
export function readScope(scope: string): string | undefined {
  return joinScope(splitScope(scope));
}

function toChosenScope(scopes: readonly string[]): ChosenScope {
  const scope = joinScope(scopes);
  return {
    ...(scope === undefined ? {} : { scope }),
    offlineAccess: scopes.includes(offlineAccess),
    openid: scopes.includes('openid'),
  };
}

function splitScope(scope: string | undefined): string[] {
  return validScopes(scope?.split(/\s+/));
}

function validScopes(scopes: readonly string[] | undefined): string[] {
  return (scopes ?? []).filter((scope) => scopeToken.test(scope));
}

function joinScope(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : [...new Set(scopes)].join(' ');
}

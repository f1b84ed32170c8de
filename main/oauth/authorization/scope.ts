/** Scope values are space-separated, case-sensitive tokens without order (RFC 6749 section 3.3). */

/** Quote, backslash, controls and non-ASCII cannot stand in a scope token. */
const scopeToken = /^[\u0021\u0023-\u005b\u005d-\u007e]+$/;
const offlineAccess = 'offline_access';
const untold: ReadonlySet<string> = new Set([offlineAccess, 'openid']);

export interface ScopeSources {
  /** What the person typed: taken as it is. */
  readonly own?: string | undefined;
  readonly challenge?: { readonly scope?: string | undefined } | undefined;
  readonly resourceMetadata?: { readonly scopes_supported?: readonly string[] | undefined } | undefined;
  readonly metadata?: { readonly scopes_supported?: readonly string[] | undefined } | undefined;
}

export interface ChosenScope {
  /** Absent: the `scope` parameter is left out. */
  readonly scope?: string;
  /** `offline_access` is among them: consent must be asked for (OpenID Connect Core 1.0 section 11). */
  readonly offlineAccess: boolean;
  /** `openid` is among them: a nonce belongs in the request. */
  readonly openid: boolean;
}

/**
 * The scope to request: the person's own choice, else the challenge's, else what the protected resource lists, else
 * what the authorization server lists, else none. Unless the person chose, `offline_access` is asked for exactly
 * where the authorization server lists it (MCP 2026-07-28, refresh tokens).
 */
export function chooseScope(sources: ScopeSources): ChosenScope {
  const own = splitScope(sources.own);
  if (own.length > 0) return describe(own);
  const asked = [
    splitScope(sources.challenge?.scope),
    listed(sources.resourceMetadata?.scopes_supported),
    listed(sources.metadata?.scopes_supported),
  ].find((scopes) => scopes.length > 0);
  const scopes = (asked ?? []).filter((scope) => scope !== offlineAccess);
  if (sources.metadata?.scopes_supported?.includes(offlineAccess) === true) scopes.push(offlineAccess);
  return describe(scopes);
}

/** Every scope of both, in order of appearance (MCP step-up: what was requested before and what is asked for now). */
export function unionScope(first: string | undefined, second: string | undefined): string | undefined {
  return joinScope([...splitScope(first), ...splitScope(second)]);
}

/**
 * Requested scopes that were not granted. No `granted` means all of them were (RFC 6749 section 5.1).
 * `offline_access` and `openid` are not counted: servers leave them out of the answer, since the one is told by the
 * refresh token itself and the other is no right at the resource.
 */
export function missingScope(requested: string | undefined, granted: string | undefined): string[] {
  if (granted === undefined) return [];
  const have = new Set(splitScope(granted));
  return [...new Set(splitScope(requested))].filter((scope) => !untold.has(scope) && !have.has(scope));
}

/** A server's scope value without what cannot be a scope token; `undefined` when nothing is left. */
export function readScope(scope: string): string | undefined {
  return joinScope(splitScope(scope));
}

function describe(scopes: readonly string[]): ChosenScope {
  const scope = joinScope(scopes);
  return {
    ...(scope === undefined ? {} : { scope }),
    offlineAccess: scopes.includes(offlineAccess),
    openid: scopes.includes('openid'),
  };
}

function splitScope(scope: string | undefined): string[] {
  return listed(scope?.split(/\s+/));
}

function listed(scopes: readonly string[] | undefined): string[] {
  return (scopes ?? []).filter((scope) => scopeToken.test(scope));
}

function joinScope(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : [...new Set(scopes)].join(' ');
}

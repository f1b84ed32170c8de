import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayHostAndPort, displayText } from '../../address/display-text.ts';
import { PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import type { McpFailure } from '../../mcp/http/mcp-failure.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { isSecretName } from '../../secret.ts';
import { refusalSubject } from '../../server-words.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { clearAddressChange, recordAddressChange } from './bound-tokens.ts';
import { keyNames } from './find-integration.ts';
import { loadHeaderValue } from './stored-secrets.ts';
import type { StoredKey } from './stored-secrets.ts';

/** True if the server uses a fixed header, such as an API key, instead of a sign-in. */
export function usesApiKey({ options }: Pick<Integration, 'options'>): boolean {
  return options.headerName !== undefined;
}

/** True if keys go into its address beside a sign-in. They belong to the address: signing out leaves them. */
export function hasKeysInAddress(integration: Pick<Integration, 'method' | 'options'>): boolean {
  return integration.method !== 'NoAuth' && !usesApiKey(integration) && keyNames(integration).length > 0;
}

/**
 * True if the vault may hold an API key or tokens of it. An open server's tokens belong to a sign-in that is not used
 * now.
 */
export function hasSignIn(integration: Pick<Integration, 'method' | 'options' | 'issuerKey'>): boolean {
  return integration.method !== 'NoAuth' || usesApiKey(integration) || integration.issuerKey !== undefined;
}

/** True if the user is signed in or has provided a key; false from a sign-out until the next sign-in. */
export function isSignedIn(integration: Integration): boolean {
  return integration.state !== 'signedOut' && hasSignIn(integration);
}

const signInMembers = ['issuerKey', 'authorizationServer', 'issuerFallback', 'resource', 'redirectUri'] as const;

/**
 * Members of an unused sign-in that an open server's entry retains: only a refusal or the user ends a sign-in, and
 * signing out has to find the tokens to revoke.
 */
export function unusedSignIn(
  existing: Integration | undefined,
): Partial<Pick<Integration, (typeof signInMembers)[number]>> {
  if (existing?.issuerKey === undefined || existing.state === 'signedOut') return {};
  return Object.fromEntries(
    signInMembers.flatMap((name) => (existing[name] === undefined ? [] : [[name, existing[name]]])),
  );
}

/** The entry without the members of `unusedSignIn`. */
export function withoutUnusedSignIn(integration: Integration): Integration {
  const stored = { ...integration };
  for (const name of signInMembers) delete stored[name];
  return stored;
}

/**
 * Source of an integration's stored key, read on the first request. Errors: API_KEY_MISSING, API_KEY_ADDRESS_CHANGED,
 * KC_*.
 */
export function storedKeySource(ports: EnginePorts, integration: Integration): CredentialSource {
  let value: Promise<StoredKey> | undefined;
  const load = async (): Promise<StoredKey> => {
    // An undo may still need its key, so it may not be deleted yet.
    if (integration.state === 'signedOut') throw keyError('API_KEY_MISSING', integration);
    const vault = await ports.vault();
    const stored = await loadHeaderValue(vault, integration.id, integration.url);
    if (stored) {
      await clearAddressChange(ports, integration);
      return stored;
    }
    const other = (await vault.keysOf(integration.id)).find((key) => key.kind === 'header');
    if (other) throw await recordAddressChange(ports, integration, other.server);
    throw keyError('API_KEY_MISSING', integration);
  };
  const loadOrReset = (): Promise<StoredKey> =>
    load().catch((error: unknown) => {
      // Retry next time: a locked or absent keychain may be available then.
      value = undefined;
      throw error;
    });
  return keySource(integration, () => (value ??= loadOrReset()));
}

/** Source of a given key, which never has a fresher one. */
export function keySource(
  { url, options }: Pick<Integration, 'url' | 'options'>,
  read: () => Promise<StoredKey>,
): CredentialSource {
  const { headerName: name = '' } = options;
  return {
    current: async () => ({ kind: 'header', name, ...(await read()), resource: url }),
    renew: async () => undefined,
  };
}

/** An API key has no sign-in: an error that asks for one becomes API_KEY_REFUSED. */
export function judgeKeyFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  { error, status }: McpFailure,
): PosternError {
  if (!usesApiKey(integration)) return error;
  const { words } = error;
  const isRefused = status === 403 && (words === undefined || refusalSubject(words) !== 'request');
  if (!requiresSignIn(error) && !isRefused) return error;
  const refused = keyError('API_KEY_REFUSED', integration).with({ words });
  const headers = keyNames(integration);
  // None of the headers is a key: one that sets what the server may do, such as X-MCP-Readonly, is used beside a
  // sign-in.
  if (!requiresSignIn(error) || headers.some((name) => isAddressPart(name) || isSecretName(name))) return refused;
  const detail = { header: displayText(headers.join(', '), 200) };
  return refused.with({ detail, remedy: { kind: 'replace-key', because: 'no-key' } });
}

/**
 * For operations that need a sign-in. An open server passes, since it may want one by now. Errors: API_KEY_INSTEAD,
 * API_KEY_MISSING after a sign-out (which deletes the key), NO_SIGN_IN for a local server.
 */
export function requireSignIn(integration: Integration): void {
  if (integration.command) throw noSignIn(integration);
  if (!usesApiKey(integration)) return;
  throw keyError(integration.state === 'signedOut' ? 'API_KEY_MISSING' : 'API_KEY_INSTEAD', integration);
}

/** For operations that need tokens. Errors: as `requireSignIn`; NO_SIGN_IN also for a server that has needed none. */
export function requireTokens(integration: Integration): void {
  requireSignIn(integration);
  if (integration.method === 'NoAuth') throw noSignIn(integration);
}

function noSignIn({ url, command }: Integration): PosternError {
  const detail = command ? {} : { host: new URL(url).host };
  return new PosternError('NO_SIGN_IN', { stage: 'connection', detail });
}

function keyError(
  code: 'API_KEY_REFUSED' | 'API_KEY_MISSING' | 'API_KEY_INSTEAD',
  { url }: Pick<Integration, 'url'>,
): PosternError {
  return new PosternError(code, { stage: 'connection', detail: { host: displayHostAndPort(new URL(url)) } });
}

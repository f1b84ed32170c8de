import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayPlace, displayText } from '../../address/display-text.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import { subjectOf } from '../../errors/request-error.ts';
import type { McpFailure } from '../../mcp/http/mcp-failure.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { isSecretName } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { noteAddressIsBack, noteChangedAddress } from './bound-tokens.ts';
import { keyNames } from './find-integration.ts';
import { loadHeaderValue } from './stored-secrets.ts';
import type { KeptKey } from './stored-secrets.ts';

/** Whether a server is used with a fixed header, such as an API key, instead of a sign-in. */
export function usesApiKey({ options }: Pick<Integration, 'options'>): boolean {
  return options.headerName !== undefined;
}

/** Whether keys go into its address beside a sign-in. They are of the address: signing out leaves them. */
export function hasKeysInAddress(integration: Pick<Integration, 'method' | 'options'>): boolean {
  return integration.method !== 'NoAuth' && !usesApiKey(integration) && keyNames(integration).length > 0;
}

/** Whether the vault may hold an API key or tokens of it; an open server's are of a sign-in that is not used now. */
export function hasSignIn(integration: Pick<Integration, 'method' | 'options' | 'issuerKey'>): boolean {
  return integration.method !== 'NoAuth' || usesApiKey(integration) || integration.issuerKey !== undefined;
}

/** Whether the user is signed in to it or has given a key. False from a sign-out until they sign in again. */
export function isSignedIn(integration: Integration): boolean {
  return integration.state !== 'signedOut' && hasSignIn(integration);
}

const signInMembers = ['issuerKey', 'authorizationServer', 'issuerFallback', 'resource', 'redirectUri'] as const;

/**
 * What an entry that is used without its sign-in goes on naming of it: only a refusal or the user ends a sign-in, and
 * signing out has to find the tokens to revoke.
 */
export function unusedSignIn(
  again: Integration | undefined,
): Partial<Pick<Integration, (typeof signInMembers)[number]>> {
  if (again?.issuerKey === undefined || again.state === 'signedOut') return {};
  return Object.fromEntries(signInMembers.flatMap((name) => (again[name] === undefined ? [] : [[name, again[name]]])));
}

/** The entry without what `unusedSignIn` keeps. */
export function withoutUnusedSignIn(integration: Integration): Integration {
  const kept = { ...integration };
  for (const name of signInMembers) delete kept[name];
  return kept;
}

/**
 * The key of one integration, from the vault at the first request. Errors: API_KEY_MISSING, API_KEY_ADDRESS_CHANGED,
 * KC_*.
 */
export function keptKey(ports: EnginePorts, integration: Integration): CredentialSource {
  let value: Promise<KeptKey> | undefined;
  const load = async (): Promise<KeptKey> => {
    // Its key may still be there for a moment, to be put back by an undo.
    if (integration.state === 'signedOut') throw keyError('API_KEY_MISSING', integration);
    const vault = await ports.vault();
    const kept = await loadHeaderValue(vault, integration.id, integration.url);
    if (kept) {
      await noteAddressIsBack(ports, integration);
      return kept;
    }
    const other = (await vault.keysOf(integration.id)).find((key) => key.kind === 'header');
    if (other) throw await noteChangedAddress(ports, integration, other.server);
    throw keyError('API_KEY_MISSING', integration);
  };
  const loadAgain = (): Promise<KeptKey> =>
    load().catch((error: unknown) => {
      // A keychain that was locked or absent may be there the next time.
      value = undefined;
      throw error;
    });
  return keySource(integration, () => (value ??= loadAgain()));
}

/** A key that somebody has at hand. There is never a fresher one. */
export function keySource(
  { url, options }: Pick<Integration, 'url' | 'options'>,
  read: () => Promise<KeptKey>,
): CredentialSource {
  const { headerName: name = '' } = options;
  return {
    current: async () => ({ kind: 'header', name, ...(await read()), resource: url }),
    renew: async () => undefined,
  };
}

/** With a key there is nobody to sign in: whatever would ask for it says that the key is refused. */
export function judgeKeyFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  { error, status }: McpFailure,
): PosternError {
  if (!usesApiKey(integration)) return error;
  const { words } = error;
  const isRefused = status === 403 && (words === undefined || subjectOf(words) !== 'request');
  if (!wantsSignIn(error) && !isRefused) return error;
  const refused = keyError('API_KEY_REFUSED', integration).with({ words });
  const headers = keyNames(integration);
  // None of them is a key: a header that says what the server may do, such as X-MCP-Readonly, goes beside a sign-in.
  if (!wantsSignIn(error) || headers.some((name) => isAddressPart(name) || isSecretName(name))) return refused;
  const detail = { header: displayText(headers.join(', '), 200) };
  return refused.with({ detail, remedy: { kind: 'replace-key', because: 'no-key' } });
}

/**
 * For what only a sign-in can do. A server with an address that wants none may want one by now. Errors: API_KEY_INSTEAD,
 * API_KEY_MISSING after a sign-out, which deletes the key; NO_SIGN_IN for a server on this computer.
 */
export function requireSignIn(integration: Integration): void {
  if (integration.command) throw noSignIn(integration);
  if (!usesApiKey(integration)) return;
  throw keyError(integration.state === 'signedOut' ? 'API_KEY_MISSING' : 'API_KEY_INSTEAD', integration);
}

/** For what only tokens can do. Errors: as `requireSignIn`; NO_SIGN_IN also for a server that has wanted none. */
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
  return new PosternError(code, { stage: 'connection', detail: { host: displayPlace(new URL(url)) } });
}

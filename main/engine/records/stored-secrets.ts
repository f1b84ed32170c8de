import * as z from 'zod/mini';
import { knownNotes } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { isKeyHeaderName } from '../../../shared/header-name.ts';
import type { Integration, IssuerKey } from '../../../shared/integration.ts';
import { jsonLimit, stateLifetime, urlLength } from '../../limits.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { readClientCredentials, storeClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import { readTokenSet, storeTokenSet } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import { SignInEnd } from '../../ports.ts';
import type { Vault, VaultKey } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { keyNames } from './find-integration.ts';
import type { KeysOf } from './find-integration.ts';

const storedSchema = z.object({
  credentials: z.unknown(),
  registrationAccessToken: z.optional(z.string().check(z.minLength(1), z.maxLength(jsonLimit.text))),
  registrationClientUri: z.optional(z.string().check(z.minLength(1), z.maxLength(urlLength.received))),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  clientSecretExpiresAt: z.optional(z.int()),
  forDevices: z.optional(z.boolean()),
  unanswered: z.optional(z.object({ by: z.string(), since: z.number() })),
  notes: z.pipe(
    z.array(z.string()),
    z.transform((notes) => knownNotes(notes)),
  ),
});

type StoredClientRegistration = z.infer<typeof storedSchema>;

/** Plain JSON for a sealed vault record; contains the client secret and the registration access token. */
export function storeClientRegistration(registration: ClientRegistration): StoredClientRegistration {
  const { credentials, registrationAccessToken, notes, ...rest } = registration;
  return {
    ...rest,
    credentials: storeClientCredentials(credentials),
    ...(registrationAccessToken && { registrationAccessToken: registrationAccessToken.reveal() }),
    notes: [...notes],
  };
}

/** Parses the output of `storeClientRegistration`; `undefined` for anything else, since vault records are untrusted. */
export function readClientRegistration(record: unknown): ClientRegistration | undefined {
  const { success, data } = storedSchema.safeParse(record);
  if (!success) return undefined;
  const { credentials: storedCredentials, registrationAccessToken, ...rest } = dropUndefined(data);
  const credentials = readClientCredentials(storedCredentials);
  if (credentials === undefined) return undefined;
  return {
    ...rest,
    credentials,
    ...(registrationAccessToken !== undefined && { registrationAccessToken: new Secret(registrationAccessToken) }),
  };
}

// Every secret is stored under its issuer, so that none can be looked up for another one (MCP 2026-07-28, authorization
// server binding).

/** Integration that owns the tokens, and its server's address. */
type Owner = Pick<Integration, 'id' | 'url'>;

export const tokensKey = (integrationId: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'tokens',
  owner: integrationId,
  issuerKey,
});

/** The client that an integration signed in with. Refresh needs it (spec 2.10), whatever is registered later. */
export const credentialsKey = (integrationId: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'credentials',
  owner: integrationId,
  issuerKey,
});

/** Registrations belong to the profile: integrations with the same issuer and redirect URI share one. */
export const registrationKey = (redirectUri: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'registration',
  owner: redirectUri,
  issuerKey,
});

/** An API key belongs to the server itself, so there is no issuer. */
const headerKey = (integrationId: string, url: string): VaultKey => ({
  kind: 'header',
  owner: integrationId,
  server: url,
});

/** The value of an integration's key header, and whole headers sent with it. */
export interface StoredKey {
  readonly value: Secret;
  readonly further: readonly FixedHeader[];
}

const furtherSchema = z.object({
  value: z.string().check(z.minLength(1)),
  further: z.array(z.object({ name: z.string().check(z.refine(isKeyHeaderName)), value: z.string() })),
});

export async function loadHeaderValue(
  vault: Pick<Vault, 'read'>,
  integrationId: string,
  url: string,
): Promise<StoredKey | undefined> {
  const record = await vault.read(headerKey(integrationId, url));
  if (typeof record === 'string') return record === '' ? undefined : { value: new Secret(record), further: [] };
  const stored = furtherSchema.safeParse(record).data;
  const further = stored?.further.map(({ name, value }) => ({ name, value: new Secret(value) })) ?? [];
  return stored && { value: new Secret(stored.value), further };
}

/** A snapshot of the vault, read once, for looking up many records. Errors of the returned function: KC_*. */
export function readVaultOnce(vault: () => Promise<Vault>): () => Promise<Pick<Vault, 'read'>> {
  let reading: Promise<Pick<Vault, 'read'>> | undefined;
  return () => (reading ??= vault().then(async (opened) => ({ read: await opened.snapshot() })));
}

/**
 * Returns an integration's fixed headers and address parts from the vault, which is read once, when the first
 * integration has any. Errors of the returned function: KC_*, CFG_*.
 */
export function keysIn(vault: () => Promise<Vault>): KeysOf {
  const readOnce = readVaultOnce(vault);
  return async ({ id, url, options }) => {
    const [name] = keyNames({ options });
    if (name === undefined) return [];
    const stored = await loadHeaderValue(await readOnce(), id, url);
    return stored ? [{ name, value: stored.value }, ...stored.further] : [];
  };
}

/** Stores keys from the address of a server with a sign-in; returns the options that name them. Errors: KC_*, CFG_*. */
export async function saveAddressKeys(
  vault: () => Promise<Vault>,
  owner: Owner,
  keys: readonly FixedHeader[] = [],
): Promise<Pick<Integration['options'], 'furtherHeaders'>> {
  const [first, ...further] = keys;
  if (!first) return {};
  await saveHeaderValue(await vault(), owner, { value: first.value, further });
  return { furtherHeaders: keys.map(({ name }) => name) };
}

export async function saveHeaderValue(vault: Vault, { id, url }: Owner, { value, further }: StoredKey): Promise<void> {
  const texts = further.map((header) => ({ name: header.name, value: header.value.reveal() }));
  // A single value is stored as a string, as before there could be several.
  const record = further.length === 0 ? value.reveal() : { value: value.reveal(), further: texts };
  await vault.write(headerKey(id, url), record);
}

const nameOf = (integrationId: string, issuerKey: IssuerKey): string => JSON.stringify([integrationId, issuerKey]);

function recordReceipt({ receipts }: Vault, integrationId: string, tokens: TokenSet): void {
  const { accessToken, issuerKey, receivedAt } = tokens;
  const name = nameOf(integrationId, issuerKey);
  if (receivedAt.monotonic === undefined) receipts.delete(name);
  else receipts.set(name, { fingerprint: accessToken.reveal(), monotonic: receivedAt.monotonic });
}

/** Adds the monotonic receipt time, which a changed wall clock cannot affect, if this process knows it. */
function withReceipt({ receipts }: Vault, integrationId: string, tokens: TokenSet): TokenSet {
  const receipt = receipts.get(nameOf(integrationId, tokens.issuerKey));
  if (receipt?.fingerprint !== tokens.accessToken.reveal()) return tokens;
  return { ...tokens, receivedAt: { ...tokens.receivedAt, monotonic: receipt.monotonic } };
}

/**
 * Stored tokens for any server: send them only where the record itself says (revocation). For requests to the
 * integration's server use `boundTokens`.
 */
export async function loadTokens(
  vault: Vault,
  integrationId: string,
  issuerKey: IssuerKey,
): Promise<TokenSet | undefined> {
  const stored = readTokenSet(await vault.read(tokensKey(integrationId, issuerKey)));
  return stored && withReceipt(vault, integrationId, unsavedTokens(vault, integrationId, stored) ?? stored);
}

/**
 * Stores tokens bound to the server's address inside the sealed record, where no edit of the settings file reaches it.
 */
export async function saveTokens(vault: Vault, { id, url }: Owner, tokens: TokenSet): Promise<void> {
  await vault.write(tokensKey(id, tokens.issuerKey), storeTokenSet({ ...tokens, server: url }));
  recordReceipt(vault, id, tokens);
  dropUnsaved(vault, id, tokens.issuerKey);
}

/** Stores tokens and their client in one step: a refresh with another client would end the grant. */
export async function saveSignIn(
  vault: Vault,
  { id, url }: Owner,
  credentials: ClientCredentials,
  tokens: TokenSet,
): Promise<void> {
  await vault.writeTogether([
    [credentialsKey(id, credentials.issuerKey), storeClientCredentials(credentials)],
    [tokensKey(id, tokens.issuerKey), storeTokenSet({ ...tokens, server: url })],
  ]);
  recordReceipt(vault, id, tokens);
  dropUnsaved(vault, id, tokens.issuerKey);
}

export async function loadCredentials(
  vault: Vault,
  integrationId: string,
  issuerKey: IssuerKey,
): Promise<ClientCredentials | undefined> {
  return readClientCredentials(await vault.read(credentialsKey(integrationId, issuerKey)));
}

export async function saveCredentials(
  vault: Vault,
  integrationId: string,
  credentials: ClientCredentials,
): Promise<void> {
  await vault.write(credentialsKey(integrationId, credentials.issuerKey), storeClientCredentials(credentials));
}

export async function loadRegistration(
  vault: Vault,
  redirectUri: string,
  issuerKey: IssuerKey,
): Promise<ClientRegistration | undefined> {
  return readClientRegistration(await vault.read(registrationKey(redirectUri, issuerKey)));
}

export async function saveRegistration(vault: Vault, registration: ClientRegistration): Promise<void> {
  const { redirectUri, issuerKey } = registration.credentials;
  await vault.write(registrationKey(redirectUri, issuerKey), storeClientRegistration(registration));
}

/** Lock around re-read, request and store of one integration's secrets. */
export function integrationLock(id: string): string {
  return `integration ${id}`;
}

// If a refreshed pair cannot be stored (full disk, keychain gone), the old one is already used up. The new pair then
// stays in the open vault's memory and is stored as soon as that works again.

const unsavedKey = (integrationId: string, issuerKey: IssuerKey): string => JSON.stringify([integrationId, issuerKey]);

export function retainUnsaved({ unsaved }: Vault, integrationId: string, tokens: TokenSet, replaced: TokenSet): void {
  const record = storeTokenSet(tokens);
  unsaved.set(unsavedKey(integrationId, tokens.issuerKey), { record, replaces: replaced.accessToken.reveal() });
}

/** The unsaved pair, if the vault still has the pair it replaces. */
function unsavedTokens({ unsaved }: Vault, integrationId: string, stored: TokenSet): TokenSet | undefined {
  const held = unsaved.get(unsavedKey(integrationId, stored.issuerKey));
  return held?.replaces === stored.accessToken.reveal() ? readTokenSet(held.record) : undefined;
}

function dropUnsaved({ unsaved }: Vault, integrationId: string, issuerKey: IssuerKey): void {
  unsaved.delete(unsavedKey(integrationId, issuerKey));
}

/**
 * Deletes the registration of a client that the authorization server refuses: the next sign-in must not open a page
 * with an unknown client. A newer registration stays.
 */
export async function forgetRegistration(vault: Vault, credentials: ClientCredentials): Promise<void> {
  const stored = await registrationOf(vault, credentials);
  const { redirectUri, issuerKey } = credentials;
  if (stored) await vault.delete(registrationKey(redirectUri, issuerKey));
}

/**
 * Runs a sign-in with a reused registration, and records that its page brought no response until it does. Services that
 * forgot a client show an error page without redirecting (RFC 6749 section 4.1.2.1) or blame something else; some know
 * it there but not at the token endpoint. Recorded beforehand, so that it survives a killed process. After a sign-in
 * without tokens the next one registers again. Errors: KC_*, CFG_*, and those of `work`.
 */
export async function trackUnansweredSignIn<Result extends { readonly result: { readonly kind: string } }>(
  vault: Vault,
  credentials: ClientCredentials,
  { integrationId, now }: { readonly integrationId: string; readonly now: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const note = async (unanswered: ClientRegistration['unanswered']): Promise<void> => {
    const registration = await registrationOf(vault, credentials);
    if (!registration) return;
    const { unanswered: _before, ...stored } = registration;
    await saveRegistration(vault, { ...stored, ...(unanswered && { unanswered }) });
  };
  /** `since: 0` also applies to other integrations, at once. */
  const ended = { by: integrationId, since: 0 };
  await note({ by: integrationId, since: now });
  try {
    const outcome = await work();
    await note(outcome.result.kind === 'tokens' ? undefined : ended);
    return outcome;
  } catch (error) {
    // Superseded before the page could respond: that says nothing about the registration.
    const isSuperseded = error instanceof SignInEnd && error.verdict === 'superseded';
    await note(isSuperseded ? undefined : ended);
    throw error;
  }
}

/** True if the last sign-in with it brought no response. Another integration's sign-in may still be waiting. */
export function isUnanswered({ unanswered }: ClientRegistration, integrationId: string, now: number): boolean {
  if (!unanswered) return false;
  return unanswered.by === integrationId || Math.abs(now - unanswered.since) > stateLifetime;
}

async function registrationOf(
  vault: Vault,
  { source, clientId, redirectUri, issuerKey }: ClientCredentials,
): Promise<ClientRegistration | undefined> {
  if (source !== 'registered') return undefined;
  const stored = await loadRegistration(vault, redirectUri, issuerKey);
  return stored?.credentials.clientId === clientId ? stored : undefined;
}

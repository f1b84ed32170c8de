import * as z from 'zod/mini';
import { knownNotes } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { isKeyHeaderName } from '../../../shared/header-name.ts';
import type { Integration, IssuerKey } from '../../../shared/integration.ts';
import { json, stateLifetime, urlLength } from '../../limits.ts';
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
  registrationAccessToken: z.optional(z.string().check(z.minLength(1), z.maxLength(json.text))),
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

/** Plain JSON for a sealed vault record: holds the client secret and the registration access token themselves. */
export function storeClientRegistration(registration: ClientRegistration): StoredClientRegistration {
  const { credentials, registrationAccessToken, notes, ...rest } = registration;
  return {
    ...rest,
    credentials: storeClientCredentials(credentials),
    ...(registrationAccessToken && { registrationAccessToken: registrationAccessToken.reveal() }),
    notes: [...notes],
  };
}

/** What `storeClientRegistration` made; `undefined` for anything else, since vault records are untrusted. */
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

// Every secret is kept under the sign-in service that it came from, so that none can be looked up for another one
// (MCP 2026-07-28, authorization server binding).

/** Whose tokens, and the address of the server that they are for. */
type Owner = Pick<Integration, 'id' | 'url'>;

export const tokensKey = (integrationId: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'tokens',
  owner: integrationId,
  issuerKey,
});

/** The client that an integration signed in with; refresh needs it (spec 2.10), whatever is registered later. */
export const credentialsKey = (integrationId: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'credentials',
  owner: integrationId,
  issuerKey,
});

/** Registrations belong to the profile: integrations at one issuer with one redirect URI share one. */
export const registrationKey = (redirectUri: string, issuerKey: IssuerKey): VaultKey => ({
  kind: 'registration',
  owner: redirectUri,
  issuerKey,
});

/** An API key belongs to the server itself: there is no issuer. */
const headerKey = (integrationId: string, url: string): VaultKey => ({
  kind: 'header',
  owner: integrationId,
  server: url,
});

/** The value of an integration's header, and whole headers that go with it. */
export interface KeptKey {
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
): Promise<KeptKey | undefined> {
  const record = await vault.read(headerKey(integrationId, url));
  if (typeof record === 'string') return record === '' ? undefined : { value: new Secret(record), further: [] };
  const kept = furtherSchema.safeParse(record).data;
  const further = kept?.further.map(({ name, value }) => ({ name, value: new Secret(value) })) ?? [];
  return kept && { value: new Secret(kept.value), further };
}

/** The vault as it is at the first call, for who looks up many records: it is read once. Errors of what it returns: KC_*. */
export function asReadOnce(vault: () => Promise<Vault>): () => Promise<Pick<Vault, 'read'>> {
  let reading: Promise<Pick<Vault, 'read'>> | undefined;
  return () => (reading ??= vault().then(async (opened) => ({ read: await opened.snapshot() })));
}

/**
 * All that an integration is used with beside a token, from the vault, which is read once, at the first that has any.
 * Errors of what it returns: KC_*, CFG_*.
 */
export function keysIn(vault: () => Promise<Vault>): KeysOf {
  const readOnce = asReadOnce(vault);
  return async ({ id, url, options }) => {
    const [name] = keyNames({ options });
    if (name === undefined) return [];
    const kept = await loadHeaderValue(await readOnce(), id, url);
    return kept ? [{ name, value: kept.value }, ...kept.further] : [];
  };
}

/** Keys of the address of a server that wants a sign-in; what its entry is to say of them. Errors: KC_*, CFG_*. */
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

export async function saveHeaderValue(vault: Vault, { id, url }: Owner, { value, further }: KeptKey): Promise<void> {
  const texts = further.map((header) => ({ name: header.name, value: header.value.reveal() }));
  // A single value is stored as a text, as it was before there could be more of them.
  const record = further.length === 0 ? value.reveal() : { value: value.reveal(), further: texts };
  await vault.write(headerKey(id, url), record);
}

const nameOf = (integrationId: string, issuerKey: IssuerKey): string => JSON.stringify([integrationId, issuerKey]);

function noteReceipt({ receipts }: Vault, integrationId: string, tokens: TokenSet): void {
  const { accessToken, issuerKey, receivedAt } = tokens;
  const name = nameOf(integrationId, issuerKey);
  if (receivedAt.monotonic === undefined) receipts.delete(name);
  else receipts.set(name, { received: accessToken.reveal(), monotonic: receivedAt.monotonic });
}

/** The same tokens, with the age that no setting of the wall clock changes, where this process knows it. */
function withReceipt({ receipts }: Vault, integrationId: string, tokens: TokenSet): TokenSet {
  const receipt = receipts.get(nameOf(integrationId, tokens.issuerKey));
  if (receipt?.received !== tokens.accessToken.reveal()) return tokens;
  return { ...tokens, receivedAt: { ...tokens.receivedAt, monotonic: receipt.monotonic } };
}

/**
 * As they were stored, for whichever server: they may go where the record itself names (revocation) and nowhere else.
 * For use at the integration's server: `boundTokens`.
 */
export async function loadTokens(
  vault: Vault,
  integrationId: string,
  issuerKey: IssuerKey,
): Promise<TokenSet | undefined> {
  const stored = readTokenSet(await vault.read(tokensKey(integrationId, issuerKey)));
  return stored && withReceipt(vault, integrationId, unsavedTokens(vault, integrationId, stored) ?? stored);
}

/** Binds them to the server's address: inside the sealed record, where no edit of the settings file reaches it. */
export async function saveTokens(vault: Vault, { id, url }: Owner, tokens: TokenSet): Promise<void> {
  await vault.write(tokensKey(id, tokens.issuerKey), storeTokenSet({ ...tokens, server: url }));
  noteReceipt(vault, id, tokens);
  dropUnsaved(vault, id, tokens.issuerKey);
}

/** Tokens and the client that they were issued to, in one step: a refresh with another client would end the grant. */
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
  noteReceipt(vault, id, tokens);
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

/** Name of the lock around re-read, request and store of one integration's secrets. */
export function integrationLock(id: string): string {
  return `integration ${id}`;
}

// A refresh has used up the old pair by the time the new one cannot be stored (a full disk, a keychain that went
// away). The vault then holds the new one for as long as it is open, and it is stored as soon as that works again.

const unsavedKey = (integrationId: string, issuerKey: IssuerKey): string => JSON.stringify([integrationId, issuerKey]);

export function holdUnsaved({ unsaved }: Vault, integrationId: string, tokens: TokenSet, replaced: TokenSet): void {
  const record = storeTokenSet(tokens);
  unsaved.set(unsavedKey(integrationId, tokens.issuerKey), { record, replaces: replaced.accessToken.reveal() });
}

/** The pair that waits to be stored, if the vault still keeps the one that it replaces. */
function unsavedTokens({ unsaved }: Vault, integrationId: string, stored: TokenSet): TokenSet | undefined {
  const held = unsaved.get(unsavedKey(integrationId, stored.issuerKey));
  return held?.replaces === stored.accessToken.reveal() ? readTokenSet(held.record) : undefined;
}

function dropUnsaved({ unsaved }: Vault, integrationId: string, issuerKey: IssuerKey): void {
  unsaved.delete(unsavedKey(integrationId, issuerKey));
}

/**
 * The authorization server refuses a client that registered itself: the next sign-in must not begin with it, since a
 * sign-in page with an unknown client leads nowhere. One that has been made again meanwhile stays.
 */
export async function forgetRegistration(vault: Vault, credentials: ClientCredentials): Promise<void> {
  const kept = await registrationOf(vault, credentials);
  const { redirectUri, issuerKey } = credentials;
  if (kept) await vault.delete(registrationKey(redirectUri, issuerKey));
}

/**
 * A sign-in of `integrationId` with a registration of old goes to the sign-in page, which answers nothing where it does
 * not know the client (RFC 6749 section 4.1.2.1), or blames anything else; some know it there and no longer at the token
 * endpoint. Noted before, so that it is known of a process that was killed too; the sign-in after one that brought no
 * tokens registers again. Errors: KC_*, CFG_*, and those of `work`.
 */
export async function awaitingTokens<Result extends { readonly answer: { readonly kind: string } }>(
  vault: Vault,
  credentials: ClientCredentials,
  { integrationId, now }: { readonly integrationId: string; readonly now: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const note = async (unanswered: ClientRegistration['unanswered']): Promise<void> => {
    const registration = await registrationOf(vault, credentials);
    if (!registration) return;
    const { unanswered: _before, ...kept } = registration;
    await saveRegistration(vault, { ...kept, ...(unanswered && { unanswered }) });
  };
  /** Whoever signs in next, and at once. */
  const ended = { by: integrationId, since: 0 };
  await note({ by: integrationId, since: now });
  try {
    const result = await work();
    await note(result.answer.kind === 'tokens' ? undefined : ended);
    return result;
  } catch (error) {
    // A newer sign-in has taken its place before the page could answer, and waits for the port until this one ends.
    const isSuperseded = error instanceof SignInEnd && error.verdict === 'superseded';
    await note(isSuperseded ? undefined : ended);
    throw error;
  }
}

/** Whether the last sign-in with it brought no answer: another integration's may still wait for one. */
export function isUnanswered({ unanswered }: ClientRegistration, integrationId: string, now: number): boolean {
  if (!unanswered) return false;
  return unanswered.by === integrationId || Math.abs(now - unanswered.since) > stateLifetime;
}

async function registrationOf(
  vault: Vault,
  { source, clientId, redirectUri, issuerKey }: ClientCredentials,
): Promise<ClientRegistration | undefined> {
  if (source !== 'registered') return undefined;
  const kept = await loadRegistration(vault, redirectUri, issuerKey);
  return kept?.credentials.clientId === clientId ? kept : undefined;
}

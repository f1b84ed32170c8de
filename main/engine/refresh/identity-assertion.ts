import { connectProvider } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { exchangeIdentity } from '../../oauth/token/identity-exchange.ts';
import { findAssertionFault, readUnverifiedJwt } from '../../oauth/token/jwt-claims.ts';
import type { AssertionFault, AssertionUse, IdentityUse } from '../../oauth/token/jwt-claims.ts';
import type { Identity, TokenSet } from '../../oauth/token/token-set.ts';
import type { AssertionFileFault, Clock } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { boundTokens } from '../records/bound-tokens.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { loadCredentials } from '../records/stored-secrets.ts';

/** Refreshes a provider's tokens under that provider's lock. Errors: as `refreshStoredTokens`. */
export type RenewProvider = (provider: Integration, seen: TokenSet) => Promise<TokenSet>;

/**
 * Gets an assertion from the identity provider `id` about the signed-in user, for one service. Refreshes an expired ID
 * token first. May be called with a server's lock held: a provider's lock always comes second, since no provider has a
 * provider. Errors: those of `exchangeIdentity`, PROVIDER_SIGN_IN, REFRESH_*, KC_*, CFG_*.
 */
async function obtainIdentityAssertion(
  ports: Pick<EnginePorts, 'http' | 'clock' | 'vault' | 'store'>,
  id: string,
  use: IdentityUse,
  renew: RenewProvider,
): Promise<Secret> {
  const provider = await ports.store.read(id);
  if (!provider?.options.isIdentityProvider || provider.options.grant !== undefined)
    throw providerSignInRequired(provider);
  const vault = await ports.vault();
  const stored = provider.state === 'integrated' ? await boundTokens(ports, vault, provider) : undefined;
  if (!stored?.identity) throw providerSignInRequired(provider);
  const tokens = hasEnded(stored.identity, ports.clock) ? await renewIdentity(provider, stored, renew) : stored;
  const { identity } = tokens;
  const credentials = await loadCredentials(vault, id, tokens.issuerKey);
  if (!identity || hasEnded(identity, ports.clock) || !credentials) throw providerSignInRequired(provider);
  const policy = integrationPolicy(provider.url, provider.options);
  return await exchangeIdentity(ports, { tokens, identity, credentials, policy, use });
}

async function renewIdentity(provider: Integration, stored: TokenSet, renew: RenewProvider): Promise<TokenSet> {
  try {
    return await renew(provider, stored);
  } catch (error) {
    if (!(error instanceof PosternError) || !requiresSignIn(error)) throw error;
    throw providerSignInRequired(provider, error);
  }
}

/** Judged only by its `exp`; the provider checks everything else. */
function hasEnded({ idToken }: Identity, clock: Clock): boolean {
  const { exp } = readUnverifiedJwt(idToken.reveal())?.claims ?? {};
  return typeof exp !== 'number' || exp <= clock.now() / 1_000;
}

/** The user has to sign in at the provider: a sign-in at the server itself would not help. */
function providerSignInRequired(provider: Integration | undefined, cause?: PosternError): PosternError {
  const detail = provider && { name: provider.name, host: new URL(provider.url).host };
  return new PosternError('PROVIDER_SIGN_IN', {
    stage: 'token',
    ...(cause && { cause }),
    ...(detail ? { detail } : { remedy: connectProvider }),
  });
}

/**
 * The assertion for a grant without a sign-in page. Fetched for each use and never stored. `undefined` for client
 * credentials. Errors: ASSERTION_INVALID, those of `obtainIdentityAssertion`.
 */
export async function obtainAssertion(
  ports: Pick<EnginePorts, 'assertions' | 'clock' | 'http' | 'vault' | 'store'>,
  { options }: Pick<Integration, 'options'>,
  use: Omit<AssertionUse, 'now'> & IdentityUse,
  renew: RenewProvider,
): Promise<Secret | undefined> {
  const { grant, assertionFile: file = '', identityProvider = '' } = options;
  if (grant === 'enterprise') return await obtainIdentityAssertion(ports, identityProvider, use, renew);
  if (grant !== 'jwt-bearer') return undefined;
  return await readAssertionFile(ports, file, (text) => findAssertionFault(text, { ...use, now: ports.clock.now() }), {
    host: keyHost(use.issuerKey),
  });
}

/** The file's contents, if `judge` finds no fault. Errors: ASSERTION_INVALID. */
async function readAssertionFile(
  { assertions }: Pick<EnginePorts, 'assertions'>,
  file: string,
  judge: (text: string) => AssertionFault | undefined,
  { host }: { readonly host: string },
): Promise<Secret> {
  const fail = (fault: AssertionFault | AssertionFileFault): PosternError =>
    new PosternError('ASSERTION_INVALID', { stage: 'token', detail: { fault, file, host } });
  const read = await assertions.read(file);
  if (!(read instanceof Secret)) throw fail(read);
  const fault = judge(read.reveal());
  if (fault) throw fail(fault);
  return read;
}

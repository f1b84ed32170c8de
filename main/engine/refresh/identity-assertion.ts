import type { Integration } from '../../../shared/integration.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { exchangeIdentity } from '../../oauth/token/identity-exchange.ts';
import { judgeAssertion, readUnverifiedJwt } from '../../oauth/token/jwt-claims.ts';
import type { AssertionFault, AssertionUse, IdentityUse } from '../../oauth/token/jwt-claims.ts';
import type { Identity, TokenSet } from '../../oauth/token/token-set.ts';
import type { AssertionFileFault, Clock } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { boundTokens } from '../kept/bound-tokens.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { loadCredentials } from '../kept/stored-secrets.ts';

/** Renews what a provider has given, under that provider's lock. Errors: as `refreshStoredTokens`. */
export type RenewProvider = (provider: Integration, seen: TokenSet) => Promise<TokenSet>;

/**
 * An assertion of the identity provider `id` of who is signed in there, for one service. Its ID token is renewed first
 * where it has ended. Whoever holds a server's lock may ask for it: a provider's lock always comes after, since no
 * provider has a provider. Errors: those of `exchangeIdentity`, PROVIDER_SIGN_IN, REFRESH_*, KC_*, CFG_*.
 */
async function obtainIdentityAssertion(
  ports: Pick<EnginePorts, 'http' | 'clock' | 'vault' | 'store'>,
  id: string,
  use: IdentityUse,
  renew: RenewProvider,
): Promise<Secret> {
  const provider = await ports.store.read(id);
  if (!provider?.options.isIdentityProvider || provider.options.grant !== undefined) throw signInAt(provider);
  const vault = await ports.vault();
  const stored = provider.state === 'integrated' ? await boundTokens(ports, vault, provider) : undefined;
  if (!stored?.identity) throw signInAt(provider);
  const tokens = hasEnded(stored.identity, ports.clock) ? await renewIdentity(provider, stored, renew) : stored;
  const { identity } = tokens;
  const credentials = await loadCredentials(vault, id, tokens.issuerKey);
  if (!identity || hasEnded(identity, ports.clock) || !credentials) throw signInAt(provider);
  const policy = integrationPolicy(provider.url, provider.options);
  return await exchangeIdentity(ports, { tokens, identity, credentials, policy, use });
}

async function renewIdentity(provider: Integration, stored: TokenSet, renew: RenewProvider): Promise<TokenSet> {
  try {
    return await renew(provider, stored);
  } catch (error) {
    if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
    throw signInAt(provider, error);
  }
}

/** By the end that it states. Whatever else is wrong with it, the provider says when it refuses it. */
function hasEnded({ idToken }: Identity, clock: Clock): boolean {
  const { exp } = readUnverifiedJwt(idToken.reveal())?.claims ?? {};
  return typeof exp !== 'number' || exp <= clock.now() / 1_000;
}

/** The person has to sign in at the provider: doing so at the server itself would not help. */
function signInAt(provider: Integration | undefined, cause?: PosternError): PosternError {
  const detail = provider && { name: provider.name, host: new URL(provider.url).host };
  return new PosternError('PROVIDER_SIGN_IN', { stage: 'token', ...(cause && { cause }), ...(detail && { detail }) });
}

/**
 * What is shown in place of a sign-in. It is fetched afresh for each use and kept nowhere. `undefined` for a client that
 * asks for itself. Errors: ASSERTION_INVALID, those of `obtainIdentityAssertion`.
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
  return await readAssertionFile(ports, file, (text) => judgeAssertion(text, { ...use, now: ports.clock.now() }), {
    host: keyHost(use.issuerKey),
  });
}

/** What stands in the file, if `judge` has nothing against it. Errors: ASSERTION_INVALID. */
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

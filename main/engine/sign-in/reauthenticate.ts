import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { Refusal } from '../../mcp/http/credential-gate.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { ChangedAddress } from '../records/bound-tokens.ts';
import { addressOfSignIn } from '../records/address-keys.ts';
import { leaseSignIn, redeemTicket } from './auth-tickets.ts';
import { discoverServer, missingMetadata } from './discover-server.ts';
import { Flow } from './flow.ts';
import { install } from './install.ts';
import type { OwnOAuthApp, SignInInteraction } from './sign-in-interaction.ts';
import { signIn } from './sign-in.ts';

export interface ReauthenticationOptions {
  /** The operation's error that led to it. */
  readonly reason?: PosternError | undefined;
  /** The server's refusal, if that is the reason. */
  readonly refusal?: Refusal | undefined;
  readonly typed?: OwnOAuthApp | undefined;
  /** Ask for a new login, so that the user can choose another account. */
  readonly freshLogin?: boolean | undefined;
  /** Where the user is; only this surface can redeem the auth ticket. */
  readonly surface?: string | undefined;
  /** Reuses the flow of a sign-in that is already shown. */
  readonly flow?: Flow;
}

/**
 * Signs in to an integration again: after its grant ended, for more scopes (the union of those requested and those
 * demanded), or after its server named another authorization server (registers there). Errors: as a first sign-in;
 * FLOW_SUPERSEDED when another process starts a newer one. On failure the integration stays as it is.
 */
export async function reauthenticate(
  ports: EnginePorts,
  integration: Integration,
  { reason, refusal, typed, freshLogin, surface = 'command-line', flow = new Flow(ports.log) }: ReauthenticationOptions,
  interaction: SignInInteraction,
  signal: AbortSignal,
): Promise<Integration> {
  const { id, name, options } = integration;
  // Reported first, since the sign-in is for the new address.
  if (reason instanceof ChangedAddress) interaction.onEvent({ event: 'note', note: addressChangedNote });
  flow.begin(interaction, { name: 'reauthenticationRequired', integrationId: id });
  try {
    flow.advance({ type: 'discover' });
    const typedCredentials = typed !== undefined || integration.method === 'OAuth';
    const url = await addressOfSignIn(ports.vault, integration);
    const discoverRequest = { url, options, challenge: refusal?.challenge, typedCredentials };
    const onStep: Parameters<typeof discoverServer>[2] = (step) => flow.report(step);
    const discovery = await discoverServer(ports, discoverRequest, onStep, signal);
    if (discovery.method === 'NoAuth') throw missingMetadata(discovery);
    flow.advance({ type: 'methodDecided', method: discovery.method });
    flow.show({ discovery });
    const earlierScope = refusal?.kind === 'insufficient-scope' ? integration.scopeRequested : undefined;
    const request = {
      integrationId: id,
      options,
      discovery,
      typed,
      earlierScope,
      earlierIssuerKey: integration.issuerKey,
      otherAccount: freshLogin,
    };
    const loginHint = freshLogin ? undefined : accountHint(integration);
    const installed = await leaseSignIn(ports, id, signal, async (leased) => {
      const exchanged = await signIn(ports, { ...request, loginHint }, flow, interaction, leased);
      const holder = { surface, integrationId: id };
      const { signedIn } = await redeemTicket(ports, flow, interaction, holder, exchanged, leased.signal);
      const { assertNewest } = leased;
      return await install(ports, { id, name, existing: integration, assertNewest }, signedIn);
    });
    flow.advance({ type: 'installed', integrationId: id });
    const note = accountNote(integration, installed, freshLogin === true);
    if (note) interaction.onEvent({ event: 'note', note });
    return installed;
  } catch (error) {
    throw flow.end(error, signal);
  }
}

type Account = Pick<Integration, 'account'>;

/**
 * `another-account`: a different account came back. `same-account`: the user wanted to switch, but the account is the
 * same.
 */
type AccountNote = 'another-account' | 'same-account';

/** Note about the account that signed in, if the authorization server named it both times; most name none. */
export function accountNote(before: Account, after: Account, isSwitch: boolean): AccountNote | undefined {
  if (before.account === undefined || after.account === undefined) return undefined;
  if (before.account === after.account) return isSwitch ? 'same-account' : undefined;
  return isSwitch ? undefined : 'another-account';
}

/** `login_hint` (OpenID Connect Core 1.0 section 3.1.2.1) takes what a user would type, not an opaque ID. */
export function accountHint({ account }: Account): string | undefined {
  return account?.includes('@') ? account : undefined;
}

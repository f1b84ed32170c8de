import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { Refusal } from '../../mcp/http/credential-gate.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { ChangedAddress } from '../kept/bound-tokens.ts';
import { addressOfSignIn } from '../kept/address-keys.ts';
import { leaseSignIn, spendTicket } from './auth-tickets.ts';
import { discoverServer, unpublished } from './discover-server.ts';
import { Flow } from './flow.ts';
import { install } from './install.ts';
import type { OwnApp, SignInInteraction } from './sign-in-interaction.ts';
import { signIn } from './sign-in.ts';

export interface NewSignIn {
  /** What asks for it, where an operation failed. */
  readonly reason?: PosternError | undefined;
  /** The refusal of the server, where that is the reason. */
  readonly refusal?: Refusal | undefined;
  readonly typed?: OwnApp | undefined;
  /** Ask for a new login, so that another account can be chosen. */
  readonly freshLogin?: boolean | undefined;
  /** Who asks; nobody else can redeem an auth ticket that was given to them. */
  readonly surface?: string | undefined;
  /** Of a connection that is in sight already, and goes through its states once more. */
  readonly flow?: Flow;
}

/**
 * Signs an integration in again: after its grant has ended, for more scopes (the union of those it asked for and
 * those the server demands), or where its server now names another authorization server (registers there).
 * Errors: as a first sign-in; FLOW_SUPERSEDED when another process starts a newer one; the integration stays as it is
 * when it fails.
 */
export async function reauthenticate(
  ports: EnginePorts,
  integration: Integration,
  { reason, refusal, typed, freshLogin, surface = 'command-line', flow = new Flow(ports.log) }: NewSignIn,
  interaction: SignInInteraction,
  signal: AbortSignal,
): Promise<Integration> {
  const { id, name, options } = integration;
  // Said before the sign-in begins, since that is for the new address.
  if (reason instanceof ChangedAddress) interaction.onEvent({ event: 'note', note: addressChangedNote });
  flow.begin(interaction, { name: 'reauthenticationRequired', integrationId: id });
  try {
    flow.advance({ type: 'discover' });
    const typedCredentials = typed !== undefined || integration.method === 'OAuth';
    const url = await addressOfSignIn(ports.vault, integration);
    const question = { url, options, challenge: refusal?.challenge, typedCredentials };
    const onStep: Parameters<typeof discoverServer>[2] = (step) => flow.report(step);
    const discovery = await discoverServer(ports, question, onStep, signal);
    if (discovery.method === 'NoAuth') throw unpublished(discovery);
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
      const { signedIn } = await spendTicket(ports, flow, interaction, holder, exchanged, leased.signal);
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

/** `another-account`: somebody else than before came back. `same-account`: a switch that was none. */
export type AccountNote = 'another-account' | 'same-account';

/**
 * What a person should be told of whose sign-in came back, where the authorization server says whose it was, both
 * times. One that says nothing is no news: most say nothing.
 */
export function accountNote(before: Account, after: Account, isSwitch: boolean): AccountNote | undefined {
  if (before.account === undefined || after.account === undefined) return undefined;
  if (before.account === after.account) return isSwitch ? 'same-account' : undefined;
  return isSwitch ? undefined : 'another-account';
}

/** `login_hint` (OpenID Connect Core 1.0 section 3.1.2.1) takes what a person would type; an opaque id is not that. */
export function accountHint({ account }: Account): string | undefined {
  return account?.includes('@') ? account : undefined;
}

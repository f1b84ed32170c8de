import { mostAllowedHosts } from '../../../shared/integration.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import { PosternError } from '../../postern-error.ts';
import type { Flow } from './flow.ts';
import { hostsToAgree } from './hosts-to-agree.ts';
import { signInHosts } from './sign-in-hosts.ts';
import type { HostsRequest, SignInInteraction } from './sign-in-interaction.ts';
import type { SignInRequest } from './sign-in-request.ts';

/**
 * Has a person agree to the hosts of a sign-in that have several owners, or another one than was shown, before anything
 * is registered, typed or opened there. Tells first what has changed since it was shown. Answers the options with those
 * hosts agreed to, to be kept with the integration.
 * Errors: HOST_NOT_AGREED when nobody can answer, USER_CANCELLED for a no.
 */
export async function agreeToHosts(
  flow: Pick<Flow, 'show'>,
  interaction: Pick<SignInInteraction, 'askHosts'>,
  before: Pick<SignInRequest, 'options'> & { readonly shown?: Discovery },
  discovery: Discovery,
  signal: AbortSignal,
): Promise<IntegrationOptions> {
  const { options, shown } = before;
  if (shown && partiesOf(shown) !== partiesOf(discovery)) flow.show(discovery);
  const hosts = hostsToAgree(discovery, before);
  if (hosts.length === 0) return options;
  const asked = hostsRequest(discovery, hosts);
  const answer = await interaction.askHosts?.(asked, signal);
  if (answer === true) return withAgreed(options, hosts);
  if (answer === false) throw new PosternError('USER_CANCELLED', { stage: 'discovery' });
  const detail = { host: asked.server, hosts: hosts.join(' ') };
  throw new PosternError('HOST_NOT_AGREED', { stage: 'discovery', detail });
}

/** The same options with a yes to `hosts` in them. */
export function withAgreed(options: IntegrationOptions, hosts: readonly string[]): IntegrationOptions {
  return { ...options, agreedHosts: [...(options.agreedHosts ?? []), ...hosts].slice(-mostAllowedHosts) };
}

/** What a person was told of a sign-in, to be compared. */
function partiesOf(discovery: Discovery): string {
  return JSON.stringify([discovery.issuerKey, signInHosts(discovery)]);
}

/** Who has a part in the sign-in that `hosts` have to be agreed to for. */
export function hostsRequest({ url, metadata }: Discovery, hosts: readonly string[]): HostsRequest {
  const hostOf = (address: string | undefined): string => URL.parse(address ?? '')?.hostname ?? '';
  return {
    server: hostOf(url),
    service: hostOf(metadata?.issuer),
    page: hostOf(metadata?.authorization_endpoint),
    token: hostOf(metadata?.token_endpoint),
    hosts,
  };
}

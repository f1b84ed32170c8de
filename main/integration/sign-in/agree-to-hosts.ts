import { mostAllowedHosts } from '../../../shared/integration.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import { PosternError } from '../../postern-error.ts';
import { hostsToAgree } from './hosts-to-agree.ts';
import type { HostsRequest, SignInInteraction } from './sign-in-interaction.ts';
import type { SignInRequest } from './sign-in-request.ts';

/**
 * Has a person agree to the hosts of a sign-in that are not known to belong to its service, before anything is
 * registered, typed or opened there. Answers the options with those hosts allowed, to be kept with the integration.
 * Errors: HOST_NOT_AGREED when nobody can answer, USER_CANCELLED for a no.
 */
export async function agreeToHosts(
  interaction: Pick<SignInInteraction, 'askHosts'>,
  request: Pick<SignInRequest, 'options' | 'earlierIssuer'>,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<IntegrationOptions> {
  const { options } = request;
  const hosts = hostsToAgree(discovery, request);
  if (hosts.length === 0) return options;
  const asked = hostsRequest(discovery, hosts);
  const answer = await interaction.askHosts?.(asked, signal);
  if (answer === true)
    return { ...options, allowedHosts: [...options.allowedHosts, ...hosts].slice(-mostAllowedHosts) };
  if (answer === false) throw new PosternError('USER_CANCELLED', { stage: 'discovery' });
  const detail = { host: asked.service, hosts: hosts.join(' ') };
  throw new PosternError('HOST_NOT_AGREED', { stage: 'discovery', detail });
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

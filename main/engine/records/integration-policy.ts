import type { ChosenOptions } from '../../../shared/connection-view.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import {
  checkAddress,
  checkTypedAddress,
  createAddressPolicy,
  isLocalAddress,
  localAddress,
} from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, parseInput } from '../../address/parse-address.ts';
import { defaultOptions } from '../engine-ports.ts';
import type { ServerAddress } from '../engine-ports.ts';

/** An integration's address policy, from its own options only. */
export function integrationPolicy(url: string, options: IntegrationOptions): AddressPolicy {
  // A local server has no host: of the addresses that it names only public ones are allowed.
  if (isLocalAddress(url)) return { local: false, typedHost: '', allowedHosts: [], allowHttp: false };
  return createAddressPolicy({
    url,
    local: options.local,
    allowedHosts: options.allowedHosts,
    allowHttp: options.allowHttp,
  });
}

/** An entry's address, which may have been edited; for a local server, its name. Errors: those of the address rule. */
export function storedAddress({ url, options, command, alias }: AddressedEntry): CheckedAddress {
  if (command) return localAddress(alias ?? 'server');
  return checkAddress(parseAddress(url, 'connection'), integrationPolicy(url, options), 'connection');
}

type AddressedEntry = Pick<Integration, 'url' | 'options' | 'command' | 'alias'>;

/** An entry's address and options for connecting. Errors: those of the address rule. */
export function serverAddress(integration: AddressedEntry & Pick<Integration, 'id'>): ServerAddress {
  const { id, options, command } = integration;
  return { url: storedAddress(integration), options, ...(command && { local: { id, command } }) };
}

/**
 * Refuses typed endpoints that would fail the address rule later, while the form they were typed in can still show it.
 * Errors: those of the address rule.
 */
export function checkEndpoints(url: string, options: IntegrationOptions): void {
  const { endpoints } = options;
  if (endpoints === undefined) return;
  const policy = integrationPolicy(parseInput(url).href, options);
  for (const typed of [endpoints.authorization, endpoints.token]) {
    checkTypedAddress(typed, policy);
  }
}

/** The user's choices over the defaults. An empty scope means: as the server advertises. */
export function withDefaultOptions(chosen: ChosenOptions): IntegrationOptions {
  const { scope, endpoints, signInSurface, callbackHost, ...rest } = dropUndefined(chosen);
  return {
    ...defaultOptions,
    ...rest,
    ...(scope !== undefined && scope.trim() !== '' && { scope: scope.trim() }),
    ...(endpoints && { endpoints }),
    ...(signInSurface && { signInSurface }),
    ...(callbackHost && { callbackHost }),
  };
}

/** In the window, the typed client's authentication method replaces the one chosen earlier. */
export function withoutClientAuthentication({
  clientAuthentication: _chosen,
  ...options
}: IntegrationOptions): IntegrationOptions {
  return options;
}

import type { ChosenOptions } from '../../../shared/connection-view.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import {
  checkAddress,
  checkTypedAddress,
  createAddressPolicy,
  isLocalPlace,
  localPlace,
} from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, parseInput } from '../../address/parse-address.ts';
import { usualOptions } from '../engine-ports.ts';
import type { ServerAddress } from '../engine-ports.ts';

/** The address policy of one integration: from its own options only, never from another integration's. */
export function integrationPolicy(url: string, options: IntegrationOptions): AddressPolicy {
  // A server on this computer has no host of its own: of the addresses that it names only public ones are allowed.
  if (isLocalPlace(url)) return { local: false, typedHost: '', allowedHosts: [], allowHttp: false };
  return createAddressPolicy({
    url,
    local: options.local,
    allowedHosts: options.allowedHosts,
    allowHttp: options.allowHttp,
  });
}

/**
 * The address of an entry in the list, which may have been edited; of a server on this computer its name. Errors: those
 * of the address rule.
 */
export function storedAddress({ url, options, command, alias }: Addressed): CheckedAddress {
  if (command) return localPlace(alias ?? 'server');
  return checkAddress(parseAddress(url, 'connection'), integrationPolicy(url, options), 'connection');
}

type Addressed = Pick<Integration, 'url' | 'options' | 'command' | 'alias'>;

/** Where an entry of the list leads, and how. Errors: those of the address rule. */
export function serverAddress(integration: Addressed & Pick<Integration, 'id'>): ServerAddress {
  const { id, options, command } = integration;
  return { url: storedAddress(integration), options, ...(command && { local: { id, command } }) };
}

/**
 * Refuses typed endpoints that the address rule would refuse later, while the form that they were typed in is still
 * there to say so. Errors: those of the address rule.
 */
export function checkEndpoints(url: string, options: IntegrationOptions): void {
  const { endpoints } = options;
  if (endpoints === undefined) return;
  const policy = integrationPolicy(parseInput(url).href, options);
  for (const typed of [endpoints.authorization, endpoints.token]) {
    checkTypedAddress(typed, policy);
  }
}

/** What a person chose, over what holds when they chose nothing. An empty scope means: as the server says. */
export function defaultOptions(chosen: ChosenOptions): IntegrationOptions {
  const { scope, endpoints, signInSurface, callbackHost, ...rest } = dropUndefined(chosen);
  return {
    ...usualOptions,
    ...rest,
    ...(scope !== undefined && scope.trim() !== '' && { scope: scope.trim() }),
    ...(endpoints && { endpoints }),
    ...(signInSurface && { signInSurface }),
    ...(callbackHost && { callbackHost }),
  };
}

/** Where a client is typed in the window, what is said there of its secret holds, and not what was chosen before. */
export function withoutSecretMethod({
  clientAuthentication: _chosen,
  ...options
}: IntegrationOptions): IntegrationOptions {
  return options;
}

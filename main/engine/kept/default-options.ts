import type { ChosenOptions } from '../../../shared/connection-view.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { usualOptions } from '../engine-ports.ts';

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

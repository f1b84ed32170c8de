import type { ChosenOptions, IntegrationOptions } from '../../../shared/integration.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';

const defaults: IntegrationOptions = {
  local: false,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

/** What a person chose, over what holds when they chose nothing. An empty scope means: as the server says. */
export function defaultOptions(chosen: ChosenOptions): IntegrationOptions {
  const { scope, endpoints, signInSurface, callbackHost, ...rest } = dropUndefined(chosen);
  return {
    ...defaults,
    ...rest,
    ...(scope !== undefined && scope.trim() !== '' && { scope: scope.trim() }),
    ...(endpoints && { endpoints }),
    ...(signInSurface && { signInSurface }),
    ...(callbackHost && { callbackHost }),
  };
}

/** Whether discovery would go the same way with both. */
export function leadToSameVerdict(one: IntegrationOptions, other: IntegrationOptions): boolean {
  const steering = (options: IntegrationOptions) => {
    const { local, allowedHosts, allowHttp, legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints } =
      options;
    return JSON.stringify([
      local,
      allowedHosts,
      allowHttp,
      legacyEndpoints,
      clientMetadataUrl,
      authorizationServer,
      endpoints,
    ]);
  };
  return steering(one) === steering(other);
}

import type { IntegrationOptions } from '../../../shared/integration.ts';
import { defaultOptions } from '../default-options.ts';

/**
 * What an imported list may choose for a server. Where secrets go, and which hosts may be reached how, is for the
 * person at this computer alone: typed endpoints and permissions of the file are left out, and counted, since whoever
 * made the file would otherwise decide where a sign-in's code and tokens are sent.
 */
export function importableOptions(options: IntegrationOptions): { options: IntegrationOptions; leftOut: number } {
  const { scope, pkce, headerName, authorizationServer, signInSurface } = options;
  // An authorization server is one of those that the server itself names, or of no effect.
  const taken = defaultOptions({ scope, pkce, headerName, authorizationServer, signInSurface });
  const { local, allowedHosts, agreedHosts = [], allowHttp, legacyEndpoints } = options;
  const { sendResource, clientMetadataUrl, endpoints } = options;
  const loosened = [
    local,
    allowedHosts.length > 0,
    agreedHosts.length > 0,
    allowHttp,
    legacyEndpoints,
    !sendResource,
    clientMetadataUrl !== undefined,
    endpoints !== undefined,
  ];
  return { options: taken, leftOut: loosened.filter(Boolean).length };
}

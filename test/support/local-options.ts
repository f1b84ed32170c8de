import type { IntegrationOptions } from '../../shared/integration.ts';

/** What a person ticks for a server on this computer. */
export const localOptions: IntegrationOptions = {
  local: true,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

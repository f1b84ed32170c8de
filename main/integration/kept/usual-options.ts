import type { IntegrationOptions } from '../../../shared/integration.ts';

/** What holds for a server where a person has chosen nothing. */
export const usualOptions: IntegrationOptions = {
  local: false,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

import type { IntegrationOptions } from '../../../shared/integration.ts';

/** What of an integration's options steers discovery; the same for the first and the second one. */
export function discoveryChoices(options: IntegrationOptions) {
  const { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints } = options;
  return { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints };
}

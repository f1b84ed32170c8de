import type { IntegrationOptions } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { integrationPolicy } from '../../integration/kept/integration-policy.ts';

/**
 * Refuses typed endpoints that the address rule would refuse later, while the form that they were typed in is still
 * there to say so. Errors: those of the address rule.
 */
export function checkEndpoints(url: string, options: IntegrationOptions): void {
  const { endpoints } = options;
  if (endpoints === undefined) return;
  const policy = integrationPolicy(parseAddress(url, 'address').href, options);
  for (const typed of [endpoints.authorization, endpoints.token]) {
    checkAddress(parseAddress(typed, 'address'), policy, 'address');
  }
}

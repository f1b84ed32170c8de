import type { Discovery } from '../../oauth/discovery.ts';
import { applyPkce } from '../../oauth/pkce.ts';
import { refuseUnmetDemand } from '../../oauth/unmet-demand.ts';
import type { SignInRequest } from './sign-in-request.ts';

/** What cannot be met is said before anything is registered or opened. Errors: DEMAND_UNMET, PKCE_UNSUPPORTED. */
export function refuseDemands({ options }: SignInRequest, discovery: Discovery): void {
  refuseUnmetDemand(discovery);
  if (discovery.metadata) applyPkce(options.pkce, discovery.metadata);
}

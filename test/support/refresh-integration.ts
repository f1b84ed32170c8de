import { renewIntegration } from '../../main/operations/servers.ts';
import type { Integration } from '../../shared/integration.ts';

/** Like `renewIntegration`. Errors: also SIGN_IN_REQUIRED without a refresh token; the access token stays. */
export async function refreshIntegration(...args: Parameters<typeof renewIntegration>): Promise<Integration> {
  const renewal = await renewIntegration(...args);
  if (renewal.kind === 'renewed') return renewal.integration;
  throw renewal.error;
}

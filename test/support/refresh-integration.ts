import { renewIntegration } from '../../main/operations/servers.ts';
import type { Integration } from '../../shared/integration.ts';

/** Like `renewIntegration`. Errors: also SIGN_IN_REQUIRED without a refresh token; the access token stays. */
export async function refreshIntegration(...asked: Parameters<typeof renewIntegration>): Promise<Integration> {
  const renewal = await renewIntegration(...asked);
  if (renewal.kind === 'renewed') return renewal.integration;
  throw renewal.error;
}

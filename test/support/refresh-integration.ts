import { renewIntegration } from '../../main/operations/servers.ts';
import type { Integration } from '../../shared/integration.ts';

/** As `renewIntegration`. Errors: also SIGN_IN_REQUIRED without a refresh token; the access token is kept. */
export async function refreshIntegration(...asked: Parameters<typeof renewIntegration>): Promise<Integration> {
  const renewal = await renewIntegration(...asked);
  if (renewal.kind === 'renewed') return renewal.integration;
  throw renewal.error;
}

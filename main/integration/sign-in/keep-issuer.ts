import type { Discovery } from '../../oauth/discovery.ts';
import { PosternError } from '../../postern-error.ts';
import type { CredentialsContext } from './credentials-context.ts';
import type { Client } from './obtain-credentials.ts';
import { obtainCredentials } from './obtain-credentials.ts';

/**
 * Client credentials never go to another issuer than theirs (MCP 2026-07-28): registers there, or says so.
 * Errors: REG_ISSUER_MISMATCH for typed ones, those of `obtainCredentials`.
 */
export async function keepIssuer(
  context: CredentialsContext,
  discovery: Discovery,
  client: Client,
  scope: string | undefined,
): Promise<Client> {
  if (discovery.issuer === client.credentials.issuer) return client;
  if (client.credentials.source !== 'typed') {
    return await obtainCredentials(context, discovery, scope, undefined);
  }
  throw new PosternError('REG_ISSUER_MISMATCH', { stage: 'credentials', detail: { host: hostOf(discovery.issuer) } });
}

function hostOf(issuer: string | undefined): string {
  return issuer === undefined ? '' : new URL(issuer).host;
}

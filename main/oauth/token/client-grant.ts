import { clientCredentialsGrantRequest, genericTokenEndpointRequest } from 'oauth4webapi';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { Secret } from '../../secret.ts';
import type { ProvenOptions } from '../wire/proven-exchange.ts';

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the client asks for. With an assertion for whom that is of (RFC 7523 section 2.1), else for itself. */
export interface ClientGrant {
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  readonly assertion?: Secret | undefined;
}

/** One request of a client without a person's sign-in (RFC 6749 section 4.4.2, RFC 7521 section 4.1, RFC 8707 2.2). */
export async function sendClientGrant(
  server: AuthorizationServer,
  client: Client,
  proof: ClientAuth,
  { scope, resource, assertion }: ClientGrant,
  options: ProvenOptions,
): Promise<Response> {
  const asked = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  if (!assertion) return await clientCredentialsGrantRequest(server, client, proof, asked, options);
  const shown = { ...asked, assertion: assertion.reveal() };
  return await genericTokenEndpointRequest(server, client, proof, jwtBearerGrant, shown, options);
}

import { errors } from 'oidc-provider';
import type { Context, Provider } from 'oidc-provider';
import type { AuthorizationServerOptions, EndpointResponse } from './authorization-server-options.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

type Named = Readonly<Record<string, string | undefined>>;

/** Grants that oidc-provider does not implement: RFC 7523 section 2.1 and RFC 8693. */
export function registerAssertionGrants(
  provider: Provider,
  { assertions, exchange }: Pick<AuthorizationServerOptions, 'assertions' | 'exchange'>,
  resources: ReadonlyMap<string, readonly string[]>,
  accessTokenTTL: number,
): void {
  const grant = async (context: Context): Promise<void> => {
    const { assertion = '', resource = '', scope } = parametersOf(context);
    const client = clientOf(context);
    const known = resources.get(resource);
    if (known === undefined) throw new errors.InvalidTarget('resource is not known here');
    if ((await assertions?.(assertion, client.clientId)) !== true) throw new errors.InvalidGrant('assertion');
    const token = new provider.ClientCredentials({ client, scope });
    token.resourceServer = new provider.ResourceServer(resource, {
      scope: known.join(' '),
      audience: resource,
      accessTokenTTL,
      accessTokenFormat: 'opaque',
    });
    const access_token = await token.save();
    context.body = { access_token, expires_in: accessTokenTTL, token_type: 'Bearer', ...(scope && { scope }) };
  };
  const swap = async (context: Context): Promise<void> => {
    const parameters = parametersOf(context);
    const client = clientOf(context);
    const idToken = await provider.IdToken.validate(parameters['subject_token'] ?? '', client).catch(() => undefined);
    const subject = idToken && String(idToken.payload['sub']);
    const response: EndpointResponse | undefined =
      subject === undefined ? undefined : exchange?.({ ...parameters, client_id: client.clientId }, subject);
    if (!response) throw new errors.InvalidGrant('subject_token');
    context.status = response.status;
    context.body = response.body;
  };
  if (assertions) provider.registerGrantType(jwtBearer, grant, ['assertion', 'scope', 'resource']);
  const ofExchange = ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'resource', 'scope'];
  if (exchange) provider.registerGrantType(tokenExchange, swap, ofExchange);
}

function parametersOf({ oidc }: Context): Named {
  return oidc?.params ?? {};
}

function clientOf({ oidc }: Context) {
  if (oidc?.client === undefined) throw new Error('no client was found');
  return oidc.client;
}

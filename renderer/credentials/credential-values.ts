import type { CredentialsView } from '../../shared/connection-view.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { ClientAuthenticationMethod, IntegrationOptions, PkcePolicy } from '../../shared/integration.ts';

export interface CredentialValues {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Main keeps the secret of the failed attempt, and it holds. */
  readonly keepSecret: boolean;
  readonly scopes: readonly string[];
  readonly clientAuthentication: ClientAuthenticationMethod | 'auto';
  readonly pkce: PkcePolicy;
  readonly sendResource: boolean;
}

/** The form as it opens: with the earlier input after a failure (spec 2.11). */
export function startingValues(request: CredentialsView, options: IntegrationOptions): CredentialValues {
  return {
    clientId: request.earlier?.clientId ?? '',
    clientSecret: '',
    keepSecret: request.earlier?.secretKept ?? false,
    scopes: request.scopes,
    clientAuthentication: 'auto',
    pkce: options.pkce,
    sendResource: options.sendResource,
  };
}

export function submission(
  id: string,
  values: CredentialValues,
  request: CredentialsView,
): IpcInput<'connection:submitCredentials'> {
  const { clientSecret, clientAuthentication, scopes } = values;
  const isChanged = scopes.join(' ') !== request.scopes.join(' ');
  return {
    id,
    clientId: values.clientId.trim(),
    ...(!values.keepSecret && clientSecret.trim() !== '' && { clientSecret: clientSecret.trim() }),
    ...(clientAuthentication !== 'auto' && { clientAuthentication }),
    options: {
      pkce: values.pkce,
      sendResource: values.sendResource,
      ...(isChanged && { scope: scopes.join(' ') }),
    },
  };
}

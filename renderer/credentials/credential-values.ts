import type { CredentialsView } from '../../shared/connection-view.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { ChosenOptions, IntegrationOptions } from '../../shared/integration.ts';
import type { ClientAuthenticationMethod, PkcePolicy } from '../../shared/choices.ts';
import { givenEndpoints, noEndpoints } from './typed-endpoints.ts';
import type { TypedEndpoints } from './typed-endpoints.ts';

export interface CredentialValues {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Main keeps the secret of the failed attempt, and it holds while the id is the same. */
  readonly keepSecret: boolean;
  readonly scopes: readonly string[];
  readonly clientAuthentication: ClientAuthenticationMethod | 'auto';
  /** As a date field has it: `2027-05-31`, or empty. */
  readonly secretEnds: string;
  readonly pkce: PkcePolicy;
  readonly sendResource: boolean;
  readonly endpoints: TypedEndpoints;
}

/** The form as it opens: with the earlier input after a failure (spec 2.11). */
export function startingValues(request: CredentialsView, options: IntegrationOptions): CredentialValues {
  return {
    clientId: request.earlier?.clientId ?? '',
    clientSecret: '',
    keepSecret: request.earlier?.secretKept ?? false,
    scopes: request.scopes,
    clientAuthentication: request.earlier?.authentication ?? 'auto',
    secretEnds: dayOf(request.earlier?.secretExpiresAt),
    pkce: options.pkce,
    sendResource: options.sendResource,
    endpoints: options.endpoints ?? noEndpoints,
  };
}

function dayOf(moment: number | undefined): string {
  return moment === undefined ? '' : new Date(moment).toISOString().slice(0, 10);
}

/** For main: the moment at which that day begins (UTC). */
export function givenSecretEnd(day: string): { readonly secretExpiresAt?: number } {
  return day === '' ? {} : { secretExpiresAt: Date.parse(day) };
}

/** Whether main goes on with the secret that it has, which was for the id `keptFor`. */
export function isSecretKept(
  { keepSecret, clientId }: Pick<CredentialValues, 'keepSecret' | 'clientId'>,
  keptFor: string | undefined,
): boolean {
  return keepSecret && keptFor !== undefined && clientId.trim() === keptFor;
}

export interface Submitting {
  readonly id: string;
  readonly request: CredentialsView;
  /** As they are now. */
  readonly options: IntegrationOptions;
  readonly keptFor: string | undefined;
  /** What the person allowed with a button. */
  readonly allowed: ChosenOptions;
}

export function submission(
  values: CredentialValues,
  { id, request, options, keptFor, allowed }: Submitting,
): IpcInput<'connection:submitCredentials'> {
  const { clientSecret, clientAuthentication, scopes } = values;
  const endpoints = givenEndpoints(values.endpoints);
  const hasOtherScopes = scopes.join(' ') !== request.scopes.join(' ');
  const hasOtherEndpoints =
    endpoints?.authorization !== options.endpoints?.authorization || endpoints?.token !== options.endpoints?.token;
  const typesSecret = !isSecretKept(values, keptFor) && clientSecret.trim() !== '';
  return {
    id,
    clientId: values.clientId.trim(),
    ...(typesSecret && { clientSecret: clientSecret.trim() }),
    ...(clientAuthentication !== 'auto' && { clientAuthentication }),
    ...givenSecretEnd(values.secretEnds),
    options: {
      pkce: values.pkce,
      sendResource: values.sendResource,
      ...(hasOtherScopes && { scope: scopes.join(' ') }),
      ...(hasOtherEndpoints && { endpoints }),
      ...allowed,
    },
  };
}

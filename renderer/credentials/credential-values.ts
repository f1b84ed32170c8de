import type { ClientAuthenticationMethod, PkcePolicy } from '../../shared/choices.ts';
import type { ChosenOptions, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { isAbout } from '../../shared/error-facts.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { Remedy } from '../../shared/remedy.ts';

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

interface Submitting {
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

/** The two addresses as they are typed; both empty: what the service publishes. */
export type TypedEndpoints = NonNullable<IntegrationOptions['endpoints']>;
export type EndpointMistakes = { readonly [Name in keyof TypedEndpoints]?: 'missing' | 'incomplete' };

export const noEndpoints: TypedEndpoints = { authorization: '', token: '' };

/** What can be seen in the form already; whether an address may be used is main's to say. */
export function findEndpointMistakes({ authorization, token }: TypedEndpoints): EndpointMistakes | undefined {
  if (authorization.trim() === '' && token.trim() === '') return undefined;
  const [first, second] = [mistakeOf(authorization), mistakeOf(token)];
  return (first ?? second) && { ...(first && { authorization: first }), ...(second && { token: second }) };
}

function mistakeOf(typed: string): 'missing' | 'incomplete' | undefined {
  if (typed.trim() === '') return 'missing';
  return /^https?:\/\//i.test(typed.trim()) && URL.canParse(typed.trim()) ? undefined : 'incomplete';
}

/** `null`: none were typed. */
export function givenEndpoints({ authorization, token }: TypedEndpoints): TypedEndpoints | null {
  const given = { authorization: authorization.trim(), token: token.trim() };
  return given.authorization === '' && given.token === '' ? null : given;
}

/** The part of the dialog that an error is about. `client`: id and secret together. */
type ErrorPlace = 'client' | 'clientId' | 'scopes' | 'endpoints' | 'advanced';

/**
 * Where what helps is to be done, so that the error stands there and a closed part opens. A client that Postern came by
 * itself (`isOurs`) was not typed wrongly.
 */
export function placeOf(error: Pick<PlainError, 'about' | 'blame' | 'remedy'>, isOurs = false): ErrorPlace | undefined {
  // The server's own address was taken long before, so a refused one is an endpoint that was typed.
  const isAddress = isAbout(error, 'not-an-address') || isAbout(error, 'forbidden-host');
  if (isAddress && error.blame === 'input') return 'endpoints';
  const place = placeOfRemedy(error.remedy);
  return isOurs && (place === 'client' || place === 'clientId') ? undefined : place;
}

function placeOfRemedy(remedy: Remedy): ErrorPlace | undefined {
  switch (remedy.kind) {
    case 'correct-credentials':
      return 'client';
    case 'check-client':
      return placesOfClient[remedy.what];
    case 'ask-other-scopes':
    case 'compare-scopes':
      return 'scopes';
    // PKCE or the resource parameter, most likely.
    case 'without-resource':
    case 'relax-pkce':
      return 'advanced';
    default:
      return undefined;
  }
}

const placesOfClient: Readonly<Record<Extract<Remedy, { kind: 'check-client' }>['what'], ErrorPlace | undefined>> = {
  secret: 'client',
  client: 'client',
  // This client is known, and may not sign in like this (RFC 6749 5.2).
  grant: 'clientId',
  'secret-and-grant': 'clientId',
  request: 'advanced',
  all: undefined,
};

/** What a person may have pasted by mistake where the client ID belongs. */
type Mistake = 'secret' | 'address';

/** Forms that services give to secrets and never to ids. */
const secretForms = [
  /^GOCSPX-/, // Google
  /^sk[-_]/, // Stripe, OpenAI and their like
  /^(?:secret|shpss|lin_oauth_secret|ntn)_/,
  /^xox[a-z]-/, // Slack
  /^gh[pous]_/,
  /^glpat-|^gloas-/,
  /^[0-9a-f]{40}$/, // GitHub
  /^eyJ[\w-]+\./, // a token
  /^-----BEGIN |^\{/, // a private key
  /^[\w~.-]{3}\dQ~[\w~.-]{31,34}$/, // Microsoft Entra
];

export function findMistake(clientId: string): Mistake | undefined {
  const id = clientId.trim();
  if (secretForms.some((form) => form.test(id))) return 'secret';
  // An https address may be an id (client id metadata document); one with our callback path is not.
  return /^https?:\/\/[^/]*\/integration\/oauth\/callback$/.test(id) ? 'address' : undefined;
}

import type { ClientAuthenticationMethod, PkcePolicy } from '../../shared/choices.ts';
import type { ChosenOptions, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import type { Remedy } from '../../shared/remedy.ts';

export interface CredentialValues {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Main stores the secret of the failed attempt; it applies while the client ID stays the same. */
  readonly keepSecret: boolean;
  readonly scopes: readonly string[];
  readonly clientAuthentication: ClientAuthenticationMethod | 'auto';
  /** As in a date field: `2027-05-31`, or empty. */
  readonly secretEnds: string;
  readonly pkce: PkcePolicy;
  readonly sendResource: boolean;
  readonly endpoints: TypedEndpoints;
}

/** Initial values: after a failure, the earlier input (spec 2.11). */
export function startingValues(request: CredentialsView, options: IntegrationOptions): CredentialValues {
  return {
    clientId: request.earlier?.clientId ?? '',
    clientSecret: '',
    keepSecret: request.earlier?.secretStored ?? false,
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

/** For main: the start of that day (UTC). */
export function secretExpiry(day: string): { readonly secretExpiresAt?: number } {
  return day === '' ? {} : { secretExpiresAt: Date.parse(day) };
}

/** Whether main continues with its stored secret, which belongs to client ID `storedFor`. */
export function usesStoredSecret(
  { keepSecret, clientId }: Pick<CredentialValues, 'keepSecret' | 'clientId'>,
  storedFor: string | undefined,
): boolean {
  return keepSecret && storedFor !== undefined && clientId.trim() === storedFor;
}

interface Submitting {
  readonly id: string;
  readonly request: CredentialsView;
  /** Current options. */
  readonly options: IntegrationOptions;
  readonly storedFor: string | undefined;
  /** What the user allowed with a button. */
  readonly allowed: ChosenOptions;
}

export function buildSubmission(
  values: CredentialValues,
  { id, request, options, storedFor, allowed }: Submitting,
): IpcInput<'connection:submitCredentials'> {
  const { clientSecret, clientAuthentication, scopes } = values;
  const endpoints = endpointsOrNull(values.endpoints);
  const hasOtherScopes = scopes.join(' ') !== request.scopes.join(' ');
  const hasOtherEndpoints =
    endpoints?.authorization !== options.endpoints?.authorization || endpoints?.token !== options.endpoints?.token;
  const typesSecret = !usesStoredSecret(values, storedFor) && clientSecret.trim() !== '';
  return {
    id,
    clientId: values.clientId.trim(),
    ...(typesSecret && { clientSecret: clientSecret.trim() }),
    ...(clientAuthentication !== 'auto' && { clientAuthentication }),
    ...secretExpiry(values.secretEnds),
    options: {
      pkce: values.pkce,
      sendResource: values.sendResource,
      ...(hasOtherScopes && { scope: scopes.join(' ') }),
      ...(hasOtherEndpoints && { endpoints }),
      ...allowed,
    },
  };
}

/** Both endpoints as entered; both empty means the published ones. */
export type TypedEndpoints = NonNullable<IntegrationOptions['endpoints']>;
export type EndpointMistakes = { readonly [Name in keyof TypedEndpoints]?: 'missing' | 'incomplete' };

export const noEndpoints: TypedEndpoints = { authorization: '', token: '' };

/** Checks the form only; main decides whether an address is allowed. */
export function findEndpointMistakes({ authorization, token }: TypedEndpoints): EndpointMistakes | undefined {
  if (authorization.trim() === '' && token.trim() === '') return undefined;
  const [first, second] = [mistakeOf(authorization), mistakeOf(token)];
  return (first ?? second) && { ...(first && { authorization: first }), ...(second && { token: second }) };
}

function mistakeOf(typed: string): 'missing' | 'incomplete' | undefined {
  if (typed.trim() === '') return 'missing';
  return /^https?:\/\//i.test(typed.trim()) && URL.canParse(typed.trim()) ? undefined : 'incomplete';
}

/** `null` if none were entered. */
export function endpointsOrNull({ authorization, token }: TypedEndpoints): TypedEndpoints | null {
  const entered = { authorization: authorization.trim(), token: token.trim() };
  return entered.authorization === '' && entered.token === '' ? null : entered;
}

/** The part of the form an error is about. `client`: ID and secret together. */
type ErrorLocation = 'client' | 'clientId' | 'scopes' | 'endpoints' | 'advanced';

/**
 * Where to show an error and which section to open for it. `isOurs`: Postern registered the client itself, so the user
 * did not mistype it.
 */
export function errorLocation(
  error: Pick<PlainError, 'traits' | 'blame' | 'remedy'>,
  isOurs = false,
): ErrorLocation | undefined {
  // The server's own address was accepted earlier, so a refused one must be an entered endpoint.
  const isAddress = hasTrait(error, 'not-an-address') || hasTrait(error, 'forbidden-host');
  if (isAddress && error.blame === 'input') return 'endpoints';
  const location = locationOfRemedy(error.remedy);
  return isOurs && (location === 'client' || location === 'clientId') ? undefined : location;
}

function locationOfRemedy(remedy: Remedy): ErrorLocation | undefined {
  switch (remedy.kind) {
    case 'correct-credentials':
      return 'client';
    case 'check-client':
      return locationsOfClient[remedy.what];
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

const locationsOfClient: Readonly<
  Record<Extract<Remedy, { kind: 'check-client' }>['what'], ErrorLocation | undefined>
> = {
  secret: 'client',
  client: 'client',
  // The client is known but may not use this grant (RFC 6749 section 5.2).
  grant: 'clientId',
  'secret-and-grant': 'clientId',
  request: 'advanced',
  all: undefined,
};

/** What the user may have pasted into the client ID field by mistake. */
type Mistake = 'secret' | 'address';

/** Formats that services use for secrets and never for IDs. */
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
  // An https address may be a client ID (client ID metadata document), but not one with our callback path.
  return /^https?:\/\/[^/]*\/integration\/oauth\/callback$/.test(id) ? 'address' : undefined;
}

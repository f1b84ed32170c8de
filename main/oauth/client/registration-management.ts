import { urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** What changes and deletes a registration (RFC 7592 section 3), where the service gave it. */
export interface RegistrationManagement {
  readonly registrationAccessToken?: Secret;
  /** Used only by `updateRegistration` and `deleteRegistration`, and only where they allow it. */
  readonly registrationClientUri?: string;
  /** The client as the answer told it, for an update, which has to say all of it again (RFC 7592 section 2.2). */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Kept extends RegistrationManagement {
  readonly credentials: Pick<ClientCredentials, 'clientSecret' | 'secretExpiresAt'>;
}

/** What a Bearer header can carry. */
const headerSafe = /^[\u0021-\u007e]+$/;

/** What an answer to an update need not repeat (RFC 7592 section 3: a new one replaces the old). */
export function membersOf({
  credentials,
  registrationAccessToken,
  registrationClientUri,
}: Kept): Record<string, unknown> {
  const { clientSecret, secretExpiresAt } = credentials;
  return {
    registration_access_token: registrationAccessToken?.reveal(),
    registration_client_uri: registrationClientUri,
    ...(clientSecret && {
      client_secret: clientSecret.reveal(),
      client_secret_expires_at: secretExpiresAt === undefined ? 0 : secretExpiresAt / 1000,
    }),
  };
}

/** What is no metadata of the client, and has no place in an update of it (RFC 7592 section 2.2). */
const notMetadata: ReadonlySet<string> = new Set([
  ...['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at'],
  ...['registration_access_token', 'registration_client_uri'],
]);

/** How the registration can be managed (RFC 7592 section 3), where it can. */
export function readManagement(document: Readonly<Record<string, unknown>>): RegistrationManagement {
  const token = document['registration_access_token'];
  const address = document['registration_client_uri'];
  const hasToken = typeof token === 'string' && headerSafe.test(token);
  const hasAddress = typeof address === 'string' && address !== '' && address.length <= urlLength.received;
  const members = Object.entries(document).filter(([name]) => !notMetadata.has(name));
  return {
    ...(hasToken && { registrationAccessToken: new Secret(token) }),
    ...(hasAddress && { registrationClientUri: address }),
    ...(hasToken && hasAddress && { metadata: Object.fromEntries(members) }),
  };
}

import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { statusWords } from '../../../shared/status-words.ts';
import { publishedIssuer } from '../../issuer-key.ts';
import { keptStatus } from '../../kept-status.ts';
import type { EndedStatus } from '../../kept-status.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import { sealedEntry } from '../../secret.ts';
import { printableLine } from '../text.ts';

/**
 * What the last line says of an integration; every field is there, `null` where it does not apply. `ended`: as whoever
 * runs its command says. `now` as Date.now().
 */
export function summarise(
  plain: Integration,
  ended?: EndedStatus,
  now = Date.now(),
): Readonly<Record<string, unknown>> {
  const integration = sealedEntry(plain);
  const { id, name, alias, url, command, method, scope, expiresAt, retryAt, options } = integration;
  return {
    id,
    name,
    alias: alias ?? null,
    kind: command ? 'local' : 'remote',
    url,
    method,
    issuer: publishedIssuer(integration, options.endpoints?.token) ?? null,
    scope: scope ?? null,
    expiresAt: expiresAt ?? null,
    state: restingState(integration, now),
    status: describeRestingState(integration, now, ended),
    account: describeAccount(integration) ?? null,
    ...(retryAt !== undefined && { retryAt }),
    ...(options.headerName !== undefined && { header: options.headerName }),
    ...(command && { command }),
  };
}

/** How a server is signed in to, in words for a person; `all` knows the name of its identity provider. */
export function describeSignIn({ method, options, reason, command }: Integration, all: readonly Integration[]): string {
  if (command) return 'none: it runs on this computer';
  const names = [options.headerName ?? [], options.furtherHeaders ?? []].flat().map((name) => printableLine(name));
  if (options.headerName !== undefined)
    return isAddressPart(options.headerName) ? 'API key in the address, sealed' : `API key header ${names.join(', ')}`;
  if (options.grant === 'jwt-bearer') return `${method}, by the assertion in a file (${options.grant})`;
  if (options.isIdentityProvider) return `${method}, for other servers (identity provider)`;
  if (options.grant === 'enterprise') {
    const provider = all.find(({ id }) => id === options.identityProvider);
    const name = provider ? `“${printableLine(provider.name)}”` : 'one that is not connected any more';
    return `${method}, by the identity provider ${name}`;
  }
  if (options.grant !== undefined) return `${method}, of the program itself (${options.grant})`;
  return method + (reason ? ` (${reason})` : '') + (names.length > 0 ? ', and a key in the address, sealed' : '');
}

/** The status as the window says it, for a person and as `status` of `--json`. `now` as Date.now(). */
export function describeRestingState(integration: Integration, now: number, ended?: EndedStatus): string {
  const status = keptStatus(integration, now, ended);
  const isMoved = status === 'signInAgain' && integration.notes.includes(addressChangedNote);
  return `${statusWords[status].toLowerCase()}${isMoved ? ' (address changed)' : ''}`;
}

/** Who is signed in, as the service said it. */
export function describeAccount({ account, person }: Integration): string | undefined {
  return [person?.name, person?.email].filter(Boolean).join(', ') || account;
}

/** A moment for a person, with how far away it is: `2026-11-20 14:05 (in 54 minutes)`. Milliseconds since 1970. */
export function describeMoment(moment: number, now: number): string {
  const date = localTime(moment);
  if (date === undefined) return 'unknown';
  const minutes = Math.round((moment - now) / 60_000);
  const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const [count, unit]: [number, Intl.RelativeTimeFormatUnit] =
    Math.abs(minutes) < 90
      ? [minutes, 'minute']
      : Math.abs(minutes) < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1_440), 'day'];
  return `${date} (${distance.format(count, unit)})`;
}

/** Day and time of day here; `undefined` for what is no moment. Without Intl, which takes 10 ms to load. */
export function localTime(moment: number): string | undefined {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The state of a list entry at `now`, as scripts know it. */
function restingState(integration: Integration, now: number): Integration['state'] {
  const status = keptStatus(integration, now);
  return status === 'signInAgain' ? 'reauthenticationRequired' : integration.state;
}

/** What became of the access at the service (RFC 7009), said honestly; empty where there was none. */
export const revocationSentences: Readonly<Record<RevocationOutcome, string>> = {
  revoked: 'The service has ended the access.',
  'partly-revoked': 'The service has ended a part of the access; the rest ends by itself.',
  'nothing-to-revoke': '',
  'not-offered': 'The service offers no way to end the access early; it ends by itself.',
  failed: 'The service could not be told to end the access; it ends by itself.',
};

/** What became of our registration at the service (RFC 7592); empty where there was none. */
export const registrationDeletionSentences: Readonly<Record<RegistrationDeletionOutcome, string>> = {
  deleted: 'The registration there is deleted.',
  'nothing-to-delete': '',
  'not-offered': 'The registration stays there, unused: the service offers no way to delete it.',
  refused: 'The service did not want to delete the registration; it stays there, unused.',
  failed: 'The registration there could not be deleted; it stays there, unused.',
};

/** What the sign-ins of a profile are sealed with, where that is no keychain, for a person. */
export function describeVault(kind: 'passphrase' | 'file' | 'unreadable'): string {
  switch (kind) {
    case 'passphrase':
      return 'Sign-ins here are sealed with a passphrase, not by a keychain: who knows it and has this folder has them.';
    case 'file':
      return 'Sign-ins here are sealed with a key file, not by a keychain: who has both it and this folder has them.';
    case 'unreadable':
      return 'The file "keyring" in this folder cannot be read; it has the key to the sign-ins here.';
  }
}

import { addressChangedNote } from '../../../shared/compatibility-notes.ts';
import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { statusWords } from '../../../shared/status-words.ts';
import { publishedIssuer } from '../../issuer-key.ts';
import { storedStatus } from '../../stored-status.ts';
import type { EndedStatus, StoredStatus } from '../../stored-status.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import { sealedEntry } from '../../secret.ts';
import { printableLine } from '../text.ts';

/** An integration for the last `--json` line. Fields that do not apply are `null`. `ended`: status of its local server. */
export function summarize(plain: Integration, ended?: EndedStatus): Readonly<Record<string, unknown>> {
  const integration = sealedEntry(plain);
  const { id, name, alias, url, command, method, scope, expiresAt, retryAt, options } = integration;
  const status = storedStatus(integration, Date.now(), ended);
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
    // Stable, for scripts.
    state: status === 'signInAgain' ? 'reauthenticationRequired' : integration.state,
    status: wordsOf(status, integration),
    account: describeAccount(integration) ?? null,
    ...(retryAt !== undefined && { retryAt }),
    ...(options.headerName !== undefined && { header: options.headerName }),
    ...(command && { command }),
  };
}

/** How a server is signed in to. `all`: to find the name of its identity provider. */
export function describeSignIn({ method, options, reason, command }: Integration, all: readonly Integration[]): string {
  if (command) return 'none: it runs on this computer';
  const names = [options.headerName ?? [], options.furtherHeaders ?? []].flat().map((name) => printableLine(name));
  if (options.headerName !== undefined)
    return isAddressPart(options.headerName)
      ? 'API key in the address (encrypted)'
      : `API key header ${names.join(', ')}`;
  if (options.grant === 'jwt-bearer') return `${method}, with the assertion in a file (${options.grant})`;
  if (options.isIdentityProvider) return `${method}, for other servers (identity provider)`;
  if (options.grant === 'enterprise') {
    const provider = all.find(({ id }) => id === options.identityProvider);
    const name = provider ? `“${printableLine(provider.name)}”` : 'one that was removed';
    return `${method}, through the identity provider ${name}`;
  }
  if (options.grant !== undefined) return `${method}, without a user (${options.grant})`;
  return method + (reason ? ` (${reason})` : '') + (names.length > 0 ? ', with a key in the address (encrypted)' : '');
}

/** The status as the window shows it, also `status` in `--json`. `now` as Date.now(). */
export function describeStatus(integration: Integration, now: number, ended?: EndedStatus): string {
  return wordsOf(storedStatus(integration, now, ended), integration);
}

function wordsOf(status: StoredStatus, { notes }: Pick<Integration, 'notes'>): string {
  const hasMoved = status === 'signInAgain' && notes.includes(addressChangedNote);
  return `${statusWords[status].toLowerCase()}${hasMoved ? ' (address changed)' : ''}`;
}

/** Who is signed in, as reported by the service. */
export function describeAccount({ account, user }: Integration): string | undefined {
  return [user?.name, user?.email].filter(Boolean).join(', ') || account;
}

/** Local and relative time: `2026-11-20 14:05 (in 54 minutes)`. Milliseconds since 1970. */
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

/** Local date and time; `undefined` if invalid. Avoids Intl, which takes 10 ms to load. */
export function localTime(moment: number): string | undefined {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Outcome of the token revocation (RFC 7009); empty if there was nothing to revoke. */
export const revocationSentences: Readonly<Record<RevocationOutcome, string>> = {
  revoked: 'The service revoked the sign-in.',
  'partly-revoked': 'The service revoked part of the sign-in. The rest expires on its own.',
  'nothing-to-revoke': '',
  'not-offered': 'The service cannot revoke the sign-in. It expires on its own.',
  failed: 'The sign-in could not be revoked. It expires on its own.',
};

/** Outcome of deleting our client registration (RFC 7592); empty if there was none. */
export const registrationDeletionSentences: Readonly<Record<RegistrationDeletionOutcome, string>> = {
  deleted: 'The registration at the service was deleted.',
  'nothing-to-delete': '',
  'not-offered': 'The registration stays at the service, unused, because the service cannot delete it.',
  refused: 'The service refused to delete the registration. It stays there, unused.',
  failed: 'The registration at the service could not be deleted. It stays there, unused.',
};

/** How sign-ins are encrypted, if not with the keychain. */
export function describeVault(kind: 'passphrase' | 'file' | 'unreadable'): string {
  switch (kind) {
    case 'passphrase':
      return 'Sign-ins here are encrypted with a passphrase. Anyone with it and this folder has them.';
    case 'file':
      return 'Sign-ins here are encrypted with a key file. Anyone with it and this folder has them.';
    case 'unreadable':
      return 'The file “keyring” in this folder cannot be read. It has the key to the sign-ins here.';
  }
}

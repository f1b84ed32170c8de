import { addressChangedNote } from '../../../shared/address-changed-note.ts';
import type { Integration } from '../../../shared/integration.ts';
import { publishedIssuer } from '../../issuer-key.ts';
import { printableLine } from '../text/printable.ts';

/**
 * What the last line says of an integration; every field is there, `null` where it does not apply. `now` as Date.now().
 */
export function summarise(integration: Integration, now = Date.now()): Readonly<Record<string, unknown>> {
  const { id, name, alias, url, method, scope, expiresAt, retryAt, options } = integration;
  return {
    id,
    name,
    alias: alias ?? null,
    url,
    method,
    issuer: publishedIssuer(integration, options.endpoints?.token) ?? null,
    scope: scope ?? null,
    expiresAt: expiresAt ?? null,
    state: restingState(integration, now),
    ...(retryAt !== undefined && { retryAt }),
    ...(options.headerName !== undefined && { header: options.headerName }),
  };
}

/** How a server is signed in to, in words for a person. */
export function describeSignIn({ method, options, reason }: Integration): string {
  const names = [options.headerName ?? [], options.furtherHeaders ?? []].flat().map((name) => printableLine(name));
  if (options.headerName !== undefined) return `API key header ${names.join(', ')}`;
  return method + (reason ? ` (${reason})` : '');
}

const stateWords: Readonly<Record<Integration['state'], string>> = {
  integrated: 'ready',
  signedOut: 'signed out',
  reauthenticationRequired: 'sign in again',
};

/** The state in words for a person. `now` as Date.now(). */
export function describeRestingState(integration: Integration, now: number): string {
  const state = restingState(integration, now);
  const { notes } = integration;
  if (state === 'reauthenticationRequired' && notes.includes(addressChangedNote)) return 'address changed';
  if (waitsForRenewal(integration, now)) return 'not renewed yet';
  return stateWords[state];
}

/** A moment for a person, with how far away it is: `2026-11-20 14:05 (in 54 minutes)`. Milliseconds since 1970. */
export function describeMoment(moment: number, now: number): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  const minutes = Math.round((moment - now) / 60_000);
  const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const [count, unit]: [number, Intl.RelativeTimeFormatUnit] =
    Math.abs(minutes) < 90
      ? [minutes, 'minute']
      : Math.abs(minutes) < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1_440), 'day'];
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())} (${distance.format(count, unit)})`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

type Access = Pick<Integration, 'state' | 'hasRefreshToken' | 'expiresAt'>;

/** The state of a list entry at `now`: an access that has ended, with nothing to renew it with, wants a sign-in. */
function restingState(integration: Access, now: number): Integration['state'] {
  const { state, hasRefreshToken } = integration;
  const isOver = state === 'integrated' && hasRefreshToken === false && hasEnded(integration, now);
  return isOver ? 'reauthenticationRequired' : state;
}

/** Whether its access has ended, and the sign-in service had to be left alone when it was to be renewed. */
function waitsForRenewal(integration: Access & Pick<Integration, 'retryAt'>, now: number): boolean {
  return integration.state === 'integrated' && integration.retryAt !== undefined && hasEnded(integration, now);
}

function hasEnded({ expiresAt }: Access, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

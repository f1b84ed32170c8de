import type { Integration } from './integration.ts';

/** Milliseconds: time enough to make a new secret at the service before tools begin to fail. */
const notice = 7 * 24 * 60 * 60_000;

/**
 * The moment (milliseconds since 1970) at which a client secret that the person typed ends, if that is within seven
 * days or past. One that Postern got by registering is replaced by itself at the next sign-in, so nobody need know.
 */
export function secretEndingSoon(
  { method, clientSecretExpiresAt: end }: Pick<Integration, 'method' | 'clientSecretExpiresAt'>,
  now: number,
): number | undefined {
  return method === 'OAuth' && end !== undefined && end - now <= notice ? end : undefined;
}

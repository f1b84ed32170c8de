import type { Removed } from '../integration/remove-integration.ts';
import type { SignedOut } from '../integration/sign-out.ts';

/** What became of the access at the service (RFC 7009), said honestly; empty where there was none. */
export function describeRevocation(revocation: SignedOut['revocation']): string {
  const outcomes = outcomesOf(revocation).filter((outcome) => outcome !== 'none' && outcome !== 'nothing-to-revoke');
  if (outcomes.length === 0) return '';
  if (outcomes.every((outcome) => outcome === 'revoked')) return 'The service has ended the access.';
  return outcomes.some((outcome) => outcome === 'unsupported' || outcome === 'not-offered')
    ? 'The service offers no way to end the access early; it ends by itself.'
    : 'The service could not be told to end the access; it ends by itself.';
}

/** What became of our registration at the service (RFC 7592); empty where there was none. */
export function describeRegistrationDeletion(registration: Removed['registration']): string {
  const [outcome] = outcomesOf(registration);
  if (outcome === undefined || outcome === 'nothing-to-delete') return '';
  if (outcome === 'deleted') return 'The registration there is deleted.';
  return outcome === 'unsupported' || outcome === 'not-offered'
    ? 'The registration stays there, unused: the service offers no way to delete it.'
    : 'The registration there could not be deleted; it stays there, unused.';
}

/** The names of what happened: one for the whole, or one for each token. */
function outcomesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if ('outcome' in value) return outcomesOf(value.outcome);
  return Object.values(value).flatMap(outcomesOf);
}

import type { RegistrationDeletionOutcome } from '../../oauth/client/registration-deletion.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';

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

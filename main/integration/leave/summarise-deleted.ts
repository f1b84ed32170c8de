import type { Deleted } from './delete-everything.ts';

/** What a person wants to know of the services, in three numbers. */
export interface ToldServices {
  /** Sign-ins whose access the service has ended. */
  readonly ended: number;
  /** Sign-ins whose service could not be told, or not wholly, or offers no way. */
  readonly endsByItself: number;
  readonly registrationsLeft: number;
}

export function summariseServices({
  revocations,
  registrations,
}: Pick<Deleted, 'revocations' | 'registrations'>): ToldServices {
  const { revoked = 0, failed = 0, 'partly-revoked': partly = 0, 'not-offered': notOffered = 0 } = revocations;
  const { refused = 0, failed: notReached = 0, 'not-offered': noMeans = 0 } = registrations;
  return {
    ended: revoked,
    endsByItself: failed + partly + notOffered,
    registrationsLeft: refused + notReached + noMeans,
  };
}

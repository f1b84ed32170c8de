import type { PlainError } from '../../shared/error-codes.ts';
import type { Remedy } from '../../shared/remedy.ts';

/** The part of the dialog that an error is about. `client`: id and secret together. */
export type ErrorPlace = 'client' | 'clientId' | 'scopes' | 'endpoints' | 'advanced';

/**
 * Where what helps is to be done, so that the error stands there and a closed part opens. A client that Postern came by
 * itself (`isOurs`) was not typed wrongly.
 */
export function placeOf(
  { stage, remedy }: Pick<PlainError, 'stage' | 'remedy'>,
  isOurs = false,
): ErrorPlace | undefined {
  // The server's own address was taken long before, so a refused one is an endpoint that was typed. By the stage: the
  // remedy of an address is the same wherever it was typed, and the place of a sentence is all that hangs on it.
  if (stage === 'address') return 'endpoints';
  const place = placeOfRemedy(remedy);
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

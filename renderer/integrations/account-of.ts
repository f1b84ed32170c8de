import type { IntegrationView } from '../../shared/integration-view.ts';

type Account = Pick<IntegrationView, 'account' | 'person' | 'state'>;

/** Whose sign-in it is, in the one word that tells two accounts apart best; `undefined` where the service did not say. */
export function accountOf({ account, person, state }: Account): string | undefined {
  if (state === 'signedOut') return undefined;
  const parts = [person?.email ?? person?.name ?? account, person?.organisation];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

import type { Integration } from '../../../shared/integration.ts';

type Account = Pick<Integration, 'account'>;

/** `another-account`: somebody else than before came back. `same-account`: a switch that was none. */
export type AccountNote = 'another-account' | 'same-account';

/**
 * What a person should be told of whose sign-in came back, where the authorization server says whose it was, both
 * times. One that says nothing is no news: most say nothing.
 */
export function accountNote(before: Account, after: Account, isSwitch: boolean): AccountNote | undefined {
  if (before.account === undefined || after.account === undefined) return undefined;
  if (before.account === after.account) return isSwitch ? 'same-account' : undefined;
  return isSwitch ? undefined : 'another-account';
}

/** `login_hint` (OpenID Connect Core 1.0 section 3.1.2.1) takes what a person would type; an opaque id is not that. */
export function accountHint({ account }: Account): string | undefined {
  return account?.includes('@') ? account : undefined;
}

import type { Remedy } from './remedy.ts';

/**
 * What only a person can do, so that a call goes through again. `key`: there is nobody to sign in.
 */
export type WayOut = 'sign-in' | 'permissions' | 'key';

const waysOut: Readonly<Partial<Record<Remedy['kind'], WayOut>>> = {
  'sign-in': 'sign-in',
  'sign-in-or-remove': 'sign-in',
  'correct-credentials': 'sign-in',
  'grant-scopes': 'permissions',
  'replace-key': 'key',
};

/** `undefined`: a person can do nothing, or it is not theirs alone to do. */
export function wayOutOf({ kind }: Remedy): WayOut | undefined {
  return waysOut[kind];
}

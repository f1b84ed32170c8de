import { remedyFor } from '../shared/error-catalogue.ts';
import type { Remedy } from '../shared/remedy.ts';
import { wayOutOf } from '../shared/way-out.ts';
import type { PosternError } from './postern-error.ts';

/** What the user can do about an error: what its thrower knows, otherwise what the catalogue says of its code. */
export function remedyOf({ code, blame, remedy }: PosternError): Remedy {
  return remedyFor(code, blame, remedy);
}

/** Whether only a person can help: by signing in (again), or by granting more. */
export function wantsSignIn(error: PosternError): boolean {
  const way = wayOutOf(remedyOf(error));
  return way !== undefined && way !== 'key';
}

/** Whether a user who is there is offered a sign-in: where only that helps, and where a renewal failed. */
export function offersSignIn(error: PosternError): boolean {
  return wantsSignIn(error) || remedyOf(error).kind === 'await-renewal';
}

import type { Integration } from '../../../shared/integration.ts';
import { wayOutOf } from '../../../shared/way-out.ts';
import type { WayOut } from '../../../shared/way-out.ts';
import { judgeKeyFailure } from '../../integration/kept/api-key.ts';
import { remedyOf } from '../../error-remedy.ts';
import { PosternError } from '../../postern-error.ts';

/** A call of a program that was refused, and that only the person can make possible. */
export interface ProgramNeed {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  /** What the program is called. */
  readonly program: string;
  readonly error: PosternError;
  readonly wayOut: WayOut;
}

/**
 * The failure where a sign-in, more permissions or another key would help; `undefined` where the person can do nothing,
 * or where the next call may go through by itself.
 */
export function personalFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  thrown: unknown,
): Pick<ProgramNeed, 'error' | 'wayOut'> | undefined {
  if (!(thrown instanceof PosternError)) return undefined;
  const error = judgeKeyFailure(integration, { error: thrown });
  const wayOut = wayOutOf(remedyOf(error));
  return wayOut && { error, wayOut };
}

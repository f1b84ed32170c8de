import { endlessContinue, garbage, halfClose, reset } from './behaviors/broken-connection.ts';
import { drip } from './behaviors/drip.ts';
import { endlessBody } from './behaviors/endless-body.ts';
import { doubleGzipBomb, gzipBomb } from './behaviors/gzip-bomb.ts';
import { largeBody } from './behaviors/large-body.ts';
import { longHeader, longStatusLine, manyHeaders } from './behaviors/oversized-headers.ts';
import * as redirects from './behaviors/redirects.ts';
import * as refusals from './behaviors/refusals.ts';
import { silence } from './behaviors/silence.ts';
import * as texts from './behaviors/unusable-text.ts';
import type { Behavior } from './honest-answers.ts';

/** Behaviors that run into a deadline. */
export const slowBehaviors: Readonly<Record<string, Behavior>> = { drip, silence, endlessContinue };

/** Everything a server may do instead of responding. */
export const everyBehavior: Readonly<Record<string, Behavior>> = {
  ...slowBehaviors,
  endlessBody,
  largeBody,
  gzipBomb,
  doubleGzipBomb,
  longHeader,
  manyHeaders,
  longStatusLine,
  reset,
  halfClose,
  garbage,
  ...redirects,
  ...texts,
  ...refusals,
};

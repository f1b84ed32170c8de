import { endlessContinue, garbage, halfClose, reset } from './behaviours/broken-connection.ts';
import { drip } from './behaviours/drip.ts';
import { endlessBody } from './behaviours/endless-body.ts';
import { doubleGzipBomb, gzipBomb } from './behaviours/gzip-bomb.ts';
import { largeBody } from './behaviours/large-body.ts';
import { longHeader, longStatusLine, manyHeaders } from './behaviours/oversized-headers.ts';
import * as redirects from './behaviours/redirects.ts';
import * as refusals from './behaviours/refusals.ts';
import { silence } from './behaviours/silence.ts';
import * as texts from './behaviours/unusable-text.ts';
import type { Behaviour } from './honest-answers.ts';

/** Those that run into a deadline. */
export const slowBehaviours: Readonly<Record<string, Behaviour>> = { drip, silence, endlessContinue };

/** Everything a server may do instead of responding. */
export const everyBehaviour: Readonly<Record<string, Behaviour>> = {
  ...slowBehaviours,
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

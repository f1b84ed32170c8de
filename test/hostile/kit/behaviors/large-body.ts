import { sendJson } from '../honest-answers.ts';
import type { Behavior } from '../honest-answers.ts';

/** Ten megabytes of valid JSON, with Content-Length. */
export const largeBody: Behavior = ({ response }) =>
  sendJson(response, JSON.stringify({ filler: Array.from({ length: 1_000_000 }, () => 'abcdefg') }));

import { sendJson } from '../honest-answers.ts';
import type { Behaviour } from '../honest-answers.ts';

/** Ten megabytes of valid JSON, with Content-Length. */
export const largeBody: Behaviour = ({ response }) =>
  sendJson(response, JSON.stringify({ filler: Array.from({ length: 1_000_000 }, () => 'abcdefg') }));

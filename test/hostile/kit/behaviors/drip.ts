import type { Behavior } from '../honest-answers.ts';

/** Good headers, then a space every few milliseconds, forever: no single wait is long. */
export const drip: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
};

import type { Behavior } from '../honest-answers.ts';

/** One field longer than the limit for all. */
export const longHeader: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'x-filler': 'a'.repeat(20_000) }).end('{}');
};

/** Two thousand short ones. */
export const manyHeaders: Behavior = ({ response }) => {
  const fields = Array.from({ length: 2_000 }, (_, index) => [`x-${index}`, 'a'] as const);
  response.writeHead(200, Object.fromEntries(fields)).end('{}');
};

/** A reason phrase of 16 KB, which no HTTP server would send. */
export const longStatusLine: Behavior = ({ request }) => {
  request.socket.end(`HTTP/1.1 200 ${'a'.repeat(16_000)}\r\ncontent-length: 2\r\n\r\n{}`);
};

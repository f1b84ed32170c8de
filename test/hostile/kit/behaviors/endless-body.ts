import type { Behavior } from '../honest-answers.ts';

const chunk = Buffer.alloc(64 * 1024, ' ');

/** An endless body, as fast as it is read. */
export const endlessBody: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

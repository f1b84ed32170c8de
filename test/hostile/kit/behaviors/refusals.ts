import { sendJson } from '../honest-answers.ts';
import type { Behavior } from '../honest-answers.ts';

/** A server error, in a page that attacks the log and the terminal. */
export const serverFault: Behavior = ({ response, scene }) => {
  response
    .writeHead(500, { 'content-type': 'text/html' })
    .end(`\u001b[31m${scene.canaries.taunt}\r\n{"event":"forged","token":"x"}\r\n${'<b>'.repeat(1_000)}`);
};

export const busy: Behavior = ({ response, scene }) => {
  response.writeHead(429, { 'retry-after': '9999999999', 'content-type': 'text/plain' }).end(scene.canaries.taunt);
};

/** An OAuth error whose description addresses the user. */
export const talkingError: Behavior = ({ response, scene }) => {
  const { taunt } = scene.canaries;
  sendJson(response, { error: 'invalid_request', error_description: taunt, error_uri: scene.origins.elsewhere }, 400);
};

/** An unregistered error code. */
export const unknownError: Behavior = ({ response, scene }) =>
  sendJson(response, { error: `<img src=x>${scene.canaries.taunt}` }, 400);

/** A rejection with an unparsable challenge. */
export const brokenChallenge: Behavior = ({ response, scene }) => {
  response
    .writeHead(401, {
      'www-authenticate': `Bearer realm="${scene.canaries.taunt}, resource_metadata="${scene.origins.elsewhere}`,
    })
    .end();
};

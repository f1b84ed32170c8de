import { sendJson } from '../honest-answers.ts';
import type { Behavior } from '../honest-answers.ts';

/** A login wall, a captive portal, the catch-all page of a web application. */
export const webPage: Behavior = ({ response, scene }) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<title>${scene.canaries.taunt}</title><script>alert(1)</script>`);
};

export const emptyBody: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end();
};

export const truncatedJson: Behavior = ({ response }) => sendJson(response, '{"issuer":"https://auth.te');

export const jsonArray: Behavior = ({ response }) => sendJson(response, '[]');

export const jsonNull: Behavior = ({ response }) => sendJson(response, 'null');

export const deepJson: Behavior = ({ response }) => sendJson(response, `${'['.repeat(5_000)}${']'.repeat(5_000)}`);

/** Every required member twice, the second time in another case too. */
export const doubledMembers: Behavior = ({ response, scene }) => {
  const { elsewhere } = scene.origins;
  sendJson(
    response,
    `{"issuer":"a","issuer":"${elsewhere}","resource":"a","Resource":"b","client_id":"a","client_id":"b",` +
      `"access_token":"a","access_token":"b","token_endpoint":"a","TOKEN_ENDPOINT":"${elsewhere}"}`,
  );
};

export const wideCharacters: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from('{"issuer":"x"}', 'utf16le'));
};

export const invalidUtf8: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from('7b2261223a22ff227d', 'hex'));
};

export const loneSurrogate: Behavior = ({ response }) =>
  sendJson(response, '{"issuer":"\\ud800","access_token":"\\udfff"}');

export const prototypeKeys: Behavior = ({ response }) =>
  sendJson(response, '{"__proto__":{"issuer":"x"},"constructor":{"prototype":{"polluted":1}}}');

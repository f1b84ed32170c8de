import { sendJson } from '../honest-answers.ts';
import type { Behaviour } from '../honest-answers.ts';

/** A login wall, a captive portal, the catch-all page of a web application. */
export const webPage: Behaviour = ({ response, scene }) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<title>${scene.canaries.taunt}</title><script>alert(1)</script>`);
};

export const emptyBody: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end();
};

export const truncatedJson: Behaviour = ({ response }) => sendJson(response, '{"issuer":"https://auth.te');

export const jsonArray: Behaviour = ({ response }) => sendJson(response, '[]');

export const jsonNull: Behaviour = ({ response }) => sendJson(response, 'null');

export const deepJson: Behaviour = ({ response }) => sendJson(response, `${'['.repeat(5_000)}${']'.repeat(5_000)}`);

/** Every required member twice, the second time in another case too. */
export const doubledMembers: Behaviour = ({ response, scene }) => {
  const { elsewhere } = scene.origins;
  sendJson(
    response,
    `{"issuer":"a","issuer":"${elsewhere}","resource":"a","Resource":"b","client_id":"a","client_id":"b",` +
      `"access_token":"a","access_token":"b","token_endpoint":"a","TOKEN_ENDPOINT":"${elsewhere}"}`,
  );
};

export const wideCharacters: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from('{"issuer":"x"}', 'utf16le'));
};

export const invalidUtf8: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from('7b2261223a22ff227d', 'hex'));
};

export const loneSurrogate: Behaviour = ({ response }) =>
  sendJson(response, '{"issuer":"\\ud800","access_token":"\\udfff"}');

export const prototypeKeys: Behaviour = ({ response }) =>
  sendJson(response, '{"__proto__":{"issuer":"x"},"constructor":{"prototype":{"polluted":1}}}');
